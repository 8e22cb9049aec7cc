/** How a tool is made: the schemas of its arguments and of its answer, its errors, and its budget. */
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { validationErrorsOf } from '../api/validation-errors.ts';
import { HttpError, type ValidationError } from '../model/http-error.ts';
import { maxListedErrors } from '../model/request-limits.ts';
import { fields, intBetween } from '../model/scalar.ts';
import type { Account } from '../model/user.ts';
import type { Answer } from './answer.ts';
import { unknownArguments } from './faults.ts';

/** Who calls a tool, and the base URL of the service. */
export type Caller = { user: Account; baseUrl: string };

type ObjectSchema = { type: 'object'; properties: Record<string, JsonSchema>; required?: string[] };

/** What `tools/list` says of a tool. */
type ToolDescription = {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: { readOnlyHint: boolean; destructiveHint?: false; openWorldHint: boolean };
};

export type Tool = ToolDescription & {
  /**
   * About how many tokens the answer to these arguments may have, and the answer. Throws HttpError or
   * TaskFailed.
   */
  call: (args: unknown, caller: Caller) => Promise<{ answer: Answer; budget: number }>;
};

/** What a tool does, in the words of the protocol. */
export const effects = {
  /** It asks an engine or a source, and creates a task of the user. */
  createsTask: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  /** It asks an engine or a source, and changes nothing that the user sees. */
  asks: { readOnlyHint: true, openWorldHint: true },
  /** It reads what the service has stored. */
  reads: { readOnlyHint: true, openWorldHint: false },
} as const;

const defaultBudget = 2000;

/** A smaller answer has no room for its first lines. Gateways of agents cut or refuse much larger ones. */
const tokenBudget = v.pipe(v.optional(intBetween(200, 20_000), defaultBudget), v.description('200 to 20000'));

export const described = <const Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));

/**
 * All errors of a value: the first of each place. The places in `loc` begin with `body`. A check of one
 * argument does not hide that of another.
 */
export const faultsIn = (schema: v.GenericSchema, value: unknown): ValidationError[] => {
  const { issues = [] } = v.safeParse(schema, value);
  const faults = validationErrorsOf('body', issues.slice(0, maxListedErrors));
  return [...new Map(faults.toReversed().map((fault) => [fault.loc.join('\n'), fault])).values()].reverse();
};

/** @throws HttpError 422 with all errors. */
export const parse = <Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> => {
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  if (!success) throw new HttpError(422, validationErrorsOf('body', issues.slice(0, maxListedErrors)));
  return output;
};

/** What the errors of a call say, and not the schema. Descriptions name the bounds and the defaults. */
const unsaid: readonly string[] = ['default', 'maximum', 'minLength', 'minimum', 'pattern'];

/**
 * The JSON Schema of the arguments. A model reads it in each conversation, so it is short: it has no
 * pattern of 800 characters for countries, and no titles, which name components of the OpenAPI document.
 */
const inputSchemaOf = (entries: v.ObjectEntries): ObjectSchema => {
  const { properties = {}, required = [] } = toJsonSchema(v.object(entries), {
    errorMode: 'ignore',
    ignoreActions: ['title'],
  });
  const said = Object.entries(properties).map(([name, schema]): [string, JsonSchema] => {
    const rules = Object.entries(schema).filter(([rule]) => !unsaid.includes(rule));
    return [
      name,
      Object.fromEntries(
        rules.filter(([rule]) => rule !== 'type' || !rules.some(([each]) => each === 'enum')),
      ),
    ];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(said),
    ...(required.length > 0 && { required }),
  };
};

/**
 * What all answers have, and `lists`: the main properties with results. An unfinished task has none yet,
 * so none is required.
 */
const outputSchemaOf = (lists: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties: {
    sandbox: { type: 'boolean' },
    crawled_at: { type: 'string' },
    ...Object.fromEntries(lists.map((name) => [name, { type: 'array' } as const])),
  },
});

type Args<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

type ToolSpecification<Entries extends v.ObjectEntries> = Omit<
  ToolDescription,
  'inputSchema' | 'outputSchema' | 'annotations'
> & {
  entries: Entries;
  /** The names of the lists that an answer may have. */
  lists: readonly string[];
  effect: ToolDescription['annotations'];
  /**
   * Errors that `entries` do not find, with the names of arguments in `loc`. It gets the arguments that are
   * right, and the names of the wrong ones: errors of these are left out.
   */
  check?: (
    right: Partial<Args<Entries>>,
    wrong: ReadonlySet<unknown>,
  ) => ValidationError[] | Promise<ValidationError[]>;
  run: (args: Args<Entries>, caller: Caller) => Promise<Answer>;
};

const without = (entries: v.ObjectEntries, names: ReadonlySet<unknown>): v.ObjectEntries =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => !names.has(name)));

export const tool = <const Entries extends v.ObjectEntries>({
  entries,
  lists,
  effect,
  check = () => [],
  run,
  ...description
}: ToolSpecification<Entries>): Tool => {
  const All = fields({ ...entries, token_budget: tokenBudget });
  const known = Object.keys(All.entries);
  /** @throws HttpError 422 with the errors of all arguments. */
  const checkAll = async (args: unknown): Promise<void> => {
    const faults = faultsIn(All, args);
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new HttpError(422, faults);
    const wrong = new Set(faults.map(({ loc }) => loc[1]));
    // The entries that are left are right.
    const right = v.parse(fields(without(entries, wrong)), args) as Partial<Args<Entries>>;
    const more = (await check(right, wrong)).filter(({ loc }) => !wrong.has(loc[1]));
    const unknown = Object.keys(args).filter((name) => !known.includes(name));
    const all = [...unknownArguments(unknown, known), ...faults, ...more];
    if (all.length > 0) throw new HttpError(422, all);
  };
  return {
    ...description,
    inputSchema: inputSchemaOf(All.entries),
    outputSchema: outputSchemaOf(lists),
    annotations: effect,
    call: async (args, caller) => {
      await checkAll(args);
      const { token_budget: budget } = parse(fields({ token_budget: tokenBudget }), args);
      return { answer: await run(parse(fields(entries), args), caller), budget };
    },
  };
};
