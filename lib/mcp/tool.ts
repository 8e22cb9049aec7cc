/** How a tool is made: the schema of its arguments, their errors, and the budget of its answer. */
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { validationErrorsOf } from '../api/validation-errors.ts';
import { HttpError } from '../model/http-error.ts';
import { maxListedErrors } from '../model/request-limits.ts';
import { fields, intBetween } from '../model/scalar.ts';
import type { Account } from '../model/user.ts';
import type { Answer } from './answer.ts';

/** Who calls a tool, and the base URL of the service. */
export type Caller = { user: Account; baseUrl: string };

export type Tool = {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, object>; required?: string[] };
  /**
   * About how many tokens the answer to these arguments may have, and the answer. Throws HttpError or
   * TaskFailed.
   */
  call: (args: unknown, caller: Caller) => Promise<{ answer: Answer; budget: number }>;
};

const defaultBudget = 2000;

/** A smaller answer has no room for its first lines. Gateways of agents cut or refuse much larger ones. */
const TokenBudget = v.pipe(
  v.optional(intBetween(200, 20_000), defaultBudget),
  v.description(
    `About how many tokens the answer may have (200 to 20000, default ${defaultBudget}). The answer says how many lines are left out`,
  ),
);

export const described = <const Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));

/** @throws HttpError 422 with all errors. */
export const parse = <Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> => {
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  if (!success) throw new HttpError(422, validationErrorsOf('body', issues.slice(0, maxListedErrors)));
  return output;
};

/**
 * The JSON Schema of the arguments. It has no custom checks: the errors of a call report them. It has no
 * titles: they name components of the OpenAPI document.
 */
const inputSchemaOf = (schema: v.GenericSchema): Tool['inputSchema'] => {
  const { properties = {}, required } = toJsonSchema(schema, {
    errorMode: 'ignore',
    ignoreActions: ['title'],
  });
  const objects = Object.entries(properties).filter(
    (entry): entry is [string, Exclude<JsonSchema, boolean>] => typeof entry[1] === 'object',
  );
  return { type: 'object', properties: Object.fromEntries(objects), ...(required && { required }) };
};

export const tool = <const Entries extends v.ObjectEntries>(
  name: string,
  description: string,
  entries: Entries,
  run: (args: v.InferOutput<v.ObjectSchema<Entries, undefined>>, caller: Caller) => Promise<Answer>,
): Tool => {
  const Args = fields(entries);
  const Budget = fields({ token_budget: TokenBudget });
  const known = [...Object.keys(entries), 'token_budget'];
  return {
    name,
    description,
    inputSchema: inputSchemaOf(v.object({ ...entries, token_budget: TokenBudget })),
    call: async (args, caller) => {
      const unknown = Object.keys(Object(args)).find((each) => !known.includes(each));
      if (unknown !== undefined) {
        const msg = `There is no such argument: the arguments are ${known.join(', ')}`;
        throw new HttpError(422, [{ loc: ['body', unknown], type: 'extra_forbidden', msg }]);
      }
      const { token_budget: budget } = parse(Budget, args);
      return { answer: await run(parse(Args, args), caller), budget };
    },
  };
};
