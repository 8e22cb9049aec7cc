/** The parameters of a body: JSON, or a form. */
import { asParameters, type Parameters, refuse } from './read.ts';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * A body as it was parsed by its content type. A body of another type arrives as Latin-1, and is JSON in the
 * clients of these services, or a form.
 */
export const bodyOf = (body: unknown): unknown => {
  if (typeof body !== 'string') return body;
  const text = Buffer.from(body, 'latin1').toString('utf8');
  return parseJson(text) ?? Object.fromEntries(new URLSearchParams(text));
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
