/** The parameters of a body: JSON, or a form. */
import { parseJsonBody } from '../api/json-body.ts';
import { HttpError } from '../model/http-error.ts';
import { asParameters, type Parameters, refuse } from './read.ts';

/** The value of JSON; undefined if the bytes are not JSON. @throws HttpError 422 if it is too deep. */
const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    if (error instanceof HttpError && error.statusCode === 400) return undefined;
    throw error;
  }
};

/** The value with its numbers beyond 2^63 as texts: answers repeat what was sent, and JSON has no bigint. */
const printable = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(printable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, printable(each)]));
};

/**
 * A body as it was parsed by its content type. A body of another type arrives as Latin-1, and is JSON in the
 * clients of these services, or a form.
 * @throws HttpError 422 if it is nested too deep.
 */
export const bodyOf = (body: unknown): unknown => {
  if (typeof body !== 'string') return printable(body);
  const bytes = Buffer.from(body, 'latin1');
  return printable(jsonIn(bytes) ?? Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))));
};

/**
 * The list of parameters in a body. The query string adds to a body that is an object, or absent.
 * @throws HttpError 400 if the body has another form, or more than `most` items.
 */
export const parametersIn = (body: unknown, query: Parameters, most: number): Parameters[] => {
  const value = bodyOf(body);
  const list: unknown[] = Array.isArray(value) ? value : [value ?? {}];
  if (list.length === 0 || list.length > most) refuse(`Send 1 to ${most} queries`);
  return list.map((each) => {
    const parameters = asParameters(each) ?? refuse('The body must be an object, or a list of objects');
    return Array.isArray(value) ? parameters : { ...query, ...parameters };
  });
};
