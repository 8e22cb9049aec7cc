/** Separates the good lines of an import from the bad ones, and says in words of people what is wrong. */
import { HttpError, type ValidationError } from '../model/http-error.ts';
import type { Line, RefusedLine } from '../model/keyword-import.ts';
import { quote } from '../model/quote.ts';
import type { KeywordRequest } from '../model/tracked-keyword.ts';
import { checkPlaces } from './check-places.ts';
import { validationErrorsOf } from './validation-errors.ts';

/** What follows the name of a column, by the type of the error. Other errors have a sentence of their own. */
const endings: Record<string, (msg: string) => string> = {
  missing: () => 'is missing',
  enum: (msg) => `must be ${msg.replace('Input should be ', '')}`,
  int_parsing: () => 'must be a whole number',
  int_parsing_size: () => 'must be a smaller number',
  int_type: () => 'must be a whole number',
  int_from_float: () => 'must be a whole number',
  greater_than_equal: (msg) => `must be ${msg.replace(/^.*equal to /, '')} or more`,
  less_than_equal: (msg) => `must be ${msg.replace(/^.*equal to /, '')} or less`,
  string_too_short: () => 'is empty',
  string_too_long: (msg) => `is too long: ${msg.replace(/^.*at most /, '')} at most`,
  string_type: () => 'must be a text',
  string_unicode: () => 'has characters that are not valid Unicode',
};

/** The value of a cell, in quotes; null if it is no single value. */
const valueIn = (raw: unknown, column: string): string | null => {
  const value =
    typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[column] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? quote(String(value)) : null;
};

const sentence = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/** What is wrong with a cell. */
const messageOf = (column: string, { loc, type, msg }: ValidationError, raw: unknown): string => {
  const item = loc[2];
  const name = typeof item === 'number' ? `${column} (item ${item + 1})` : column;
  const value = valueIn(raw, column);
  const ending = endings[type]?.(msg);
  if (ending?.startsWith('must be')) return `${name} ${ending}${value === null ? '' : `, not ${value}`}`;
  if (ending) return `${name} ${ending}`;
  const text = msg.replace(/^Value error, /, '');
  if (text.includes(column)) return sentence(text);
  return value === null || text.includes(value) ? `${name}: ${text}` : `${name} ${value}: ${text}`;
};

/** An error of a line, as `detail` has it and as people read it. */
type LineError = { row: number; column: string | null; error: ValidationError; message: string };

const errorsOf = (line: Line, places: readonly ValidationError[]): LineError[] => {
  const { row, item, raw, fault, issues } = line;
  if (fault !== undefined) {
    const error = { loc: ['body', row], type: 'value_error', msg: fault };
    return [{ row, column: null, error, message: fault }];
  }
  return [...validationErrorsOf('body', issues), ...places].map((error) => {
    const named = error.loc[1];
    const column = named === undefined ? null : String(named);
    const message = column === null ? 'The line is not an object' : messageOf(column, error, raw);
    const found = { row, column, message };
    // An error of a list is one as in all lists of the interface.
    if (item !== undefined)
      return { ...found, error: { ...error, loc: ['body', item, ...error.loc.slice(1)] } };
    return { ...found, error: { ...error, msg: message, loc: ['body', row, ...error.loc.slice(1)] } };
  });
};

/** The errors of places by the number of their line. */
const placeErrorsOf = async (lines: readonly Line[]): Promise<Map<number, ValidationError[]>> => {
  const errors = await checkPlaces(lines.map(({ raw, fault }) => (fault === undefined ? raw : null)));
  const whole = errors.filter(({ loc }) => typeof loc[1] !== 'number');
  if (whole.length > 0) throw new HttpError(422, whole);
  return Map.groupBy(
    errors.map(({ loc: [part = 'body', n, ...rest], ...error }) => ({
      n: Number(n),
      ...error,
      loc: [part, ...rest],
    })),
    ({ n }) => n,
  );
};

/** `place`: where the line is in the `loc` of an error. */
export type AcceptedLine = { row: number; place: number; request: KeywordRequest };

/** The lines of an import. `errors`: those of the bad lines, as a 422 has them. */
export type CheckedLines = {
  accepted: AcceptedLine[];
  refused: RefusedLine[];
  errors: ValidationError[];
};

/** @throws HttpError 422 if the file names too many places. */
export const checkLines = async (lines: readonly Line[]): Promise<CheckedLines> => {
  const places = await placeErrorsOf(lines);
  const checked = lines.map((line, n) => ({ line, errors: errorsOf(line, places.get(n) ?? []) }));
  const found = checked.flatMap(({ errors }) => errors);
  return {
    accepted: checked.flatMap(({ line: { row, item, request }, errors }) =>
      request && errors.length === 0 ? [{ row, place: item ?? row, request }] : [],
    ),
    refused: found.map(({ row, column, message }) => ({ row, column, message })),
    errors: found.map(({ error }) => error),
  };
};
