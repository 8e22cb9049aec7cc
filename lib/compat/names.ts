/** Errors and warnings with the names that clients of other services know. */
import type { ValidationError } from '../model/http-error.ts';
import type { V2Task } from '../model/v2-task.ts';

/** The client's names, by our fields. */
export type Names = Record<string, string>;

/** Our fields that sentences name. */
const namedFields = /\b(?:location_name|iso_code|language_code|engine_domain)\b/g;

const inNames = (sentence: string, names: Names): string =>
  sentence.replace(namedFields, (name) => names[name] ?? name);

/** The errors with the names that the client knows. */
export const renamed = (errors: readonly ValidationError[], names: Names): ValidationError[] =>
  errors.map(({ loc: [part = 'body', name = '', ...rest], msg, ...error }) => ({
    ...error,
    msg: inNames(msg, names),
    loc: [part, names[name] ?? name, ...rest],
  }));

/** The warnings of a task with the names that the client knows. */
export const warningsIn = ({ warnings }: Pick<V2Task, 'warnings'>, names: Names): string[] =>
  warnings.map((warning) => inNames(warning, names));
