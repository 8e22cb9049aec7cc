/** Reads the parameters of a request of another service: texts, numbers and words of a list. */
import { HttpError } from '../model/http-error.ts';
import { inHeader, listOfQuotes } from '../model/quote.ts';

/** Parameters by name: of a query, of a form, or of a body of JSON. */
export type Parameters = Readonly<Record<string, unknown>>;

/** @throws HttpError 400. */
export const refuse = (sentence: string): never => {
  throw new HttpError(400, sentence);
};

/**
 * A text without outer white space. A number counts as its digits; a value that is absent or null is empty.
 */
export const textIn = (parameters: Parameters, name: string): string => {
  const value = parameters[name];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return refuse(`${name} must be a text`);
};

/** A whole number from `least` to `most`; `otherwise` if it is absent. */
export const numberIn = (
  parameters: Parameters,
  name: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number => {
  const text = textIn(parameters, name);
  if (text === '') return otherwise;
  const number = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most
    ? number
    : refuse(`${name} must be a whole number from ${least} to ${most}`);
};

const yes = ['true', '1', 'yes', 'on'];
const no = ['', 'false', '0', 'no', 'off'];

/**
 * Whether a parameter is true, in one of the spellings that clients use. An absent one is not.
 * @throws HttpError 400 for a word that is neither true nor false.
 */
export const flagIn = (parameters: Parameters, name: string): boolean => {
  const word = textIn(parameters, name).toLowerCase();
  return yes.includes(word) || (!no.includes(word) && refuse(`${name} must be true or false`));
};

/** A word of a list; empty if it is absent. @throws HttpError 400 for another word. */
export const wordIn = (parameters: Parameters, name: string, words: readonly string[]): string => {
  const word = textIn(parameters, name);
  return word === '' || words.includes(word) ? word : refuse(`${name} must be ${words.join(' or ')}`);
};

/** An object of JSON; undefined for any other value. */
export const asParameters = (value: unknown): Parameters | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parameters) : undefined;

/** A sentence about parameters that the form has, or has not, and that have no effect here. */
export const warningsAbout = (
  parameters: Parameters,
  known: readonly string[],
  more: readonly string[] = [],
): Record<string, string> => {
  const ignored = Object.keys(parameters).filter((name) => !known.includes(name));
  const sentences = [
    ...(ignored.length > 0 ? [`Parameters without effect: ${listOfQuotes(ignored)}.`] : []),
    ...more,
  ];
  return sentences.length > 0 ? { 'x-warnings': inHeader(sentences) } : {};
};
