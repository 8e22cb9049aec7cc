/**
 * The forms in which a task can be read: JSON, or its results as text. `format` chooses one, otherwise the
 * header `Accept` does.
 */
import * as v from 'valibot';
import { described } from './described.ts';
import { choice, Text } from './scalar.ts';

export type Form = 'json' | 'csv' | 'jsonl' | 'markdown';

/** The names that `format` takes. */
const forms = { json: 'json', csv: 'csv', jsonl: 'jsonl', markdown: 'markdown', md: 'markdown' } as const;
const formNames = Object.keys(forms) as (keyof typeof forms)[];

/**
 * The media types of the forms that are text. A response has the first one of its form, unless `Accept` names
 * another.
 */
export const textTypes = {
  csv: ['text/csv'],
  jsonl: ['application/jsonl', 'application/x-ndjson', 'application/jsonlines', 'application/x-jsonlines'],
  markdown: ['text/markdown', 'text/x-markdown'],
} as const satisfies Record<Exclude<Form, 'json'>, readonly [string, ...string[]]>;

const formsByType = new Map<string, Form>([
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ...Object.entries(textTypes).flatMap(([form, types]) => types.map((type) => [type, form as Form] as const)),
]);

export const csvFor = described(
  v.optional(choice(['excel'])),
  'The program that CSV is for. `excel`: ids are texts, times are ISO 8601, and a byte order mark comes first',
  'excel',
);

/** How a request chooses the form of rows: JSON, CSV or JSON lines. */
export const rowForm = {
  format: described(
    v.optional(choice(['json', 'csv', 'jsonl'])),
    'The form of the response. Without it, the header `Accept` decides',
    'csv',
  ),
  for: csvFor,
};

export const FormQuery = v.object({
  format: described(
    v.optional(choice(formNames)),
    'The form of the response: `json`, `csv` (a row for each result), `jsonl` (a line for each result) or ' +
      '`markdown`, also as `md`. Without it, the ' +
      'header `Accept` decides (`text/csv`, `application/jsonl`, `text/markdown`); a type that the service ' +
      'does not know gives JSON',
    'csv',
  ),
  for: csvFor,
  fields: described(
    v.optional(Text, ''),
    'The names of the top-level fields to return, separated by commas. Unknown names are ignored. Empty ' +
      'means all fields. In CSV and ' +
      'JSON lines it restricts the columns; those of the results belong to `result`. If both `result` and ' +
      '`pages` are named, the ' +
      '`results` of a page are null where `result` has them',
    'id,status,result',
  ),
});
export type FormQuery = v.InferOutput<typeof FormQuery>;

/** Headers that choose the form. They are not parameters of the OpenAPI document: HTTP defines them. */
export const FormHeaders = v.object({ accept: v.optional(v.string(), '') });
export type FormHeaders = v.InferOutput<typeof FormHeaders>;

/** The media types of an `Accept` header with their weights, the most wanted first. */
const acceptedTypes = (accept: string): string[] =>
  accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
      return { type, weight };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ type }) => type);

/**
 * The form that a request asks for, and its media type. A response that the client does not accept is JSON,
 * never 406.
 */
export const formOf = (
  format: FormQuery['format'],
  accept: string,
): { form: 'json' } | { form: Exclude<Form, 'json'>; type: string } => {
  const types = acceptedTypes(accept);
  const type = types.find((each) => formsByType.has(each)) ?? '*/*';
  const form = format ? forms[format] : (formsByType.get(type) ?? 'json');
  if (form === 'json') return { form };
  const [usual, ...others] = textTypes[form] as readonly [string, ...string[]];
  return { form, type: others.find((each) => each === type) ?? usual };
};

/** The names of a `fields` parameter; null if all fields are wanted. */
export const fieldNames = (fields: string): ReadonlySet<string> | null => {
  const names = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length > 0 ? new Set(names) : null;
};

/** A successful response that is text. An operation returns it instead of a value that fits its `reply`. */
export class TextReply {
  readonly type: string;
  readonly body: string;
  /** What the value says in `warnings`. The text does not have it, so a header has. */
  readonly warnings: readonly string[];

  constructor(type: string, body: string, warnings: readonly string[] = []) {
    this.type = type;
    this.body = body;
    this.warnings = warnings;
  }
}
