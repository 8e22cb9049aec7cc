/** Parses a body of JSON: bytes that may be deep, not UTF-8, or have numbers beyond 2^63 (Reading 29). */
import { HttpError } from '../model/http-error.ts';

/** Levels of arrays and objects in a body (Reading 29). */
const maxDepth = 64;

const [quotation, backslash] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const opening = new Set(['[', '{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([']', '}'].map((sign) => sign.charCodeAt(0)));

/** Whether JSON is nested deeper than is accepted. Brackets in strings do not count. */
const isDeep = (bytes: Uint8Array): boolean => {
  let [depth, isString] = [0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isString && byte === backslash) at += 1;
    else if (byte === quotation) isString = !isString;
    else if (isString) continue;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
};

/** A number with so many digits can be beyond 2^63. */
const hasLongNumber = (text: string): boolean => /\d{19}/.test(text);

/**
 * Parses JSON. Whole numbers beyond 2^63 that are written without a fraction or an exponent become bigints,
 * because pydantic reads them exactly, but refuses a float of that size. Numbers beyond the largest double
 * stay infinite (Reading 29).
 */
const parseNumbers = (text: string): unknown => {
  const value = JSON.parse(text);
  if (!hasLongNumber(text)) return value;
  const reread = (_: string, each: unknown, { source = '' }: { source?: string } = {}): unknown =>
    typeof each === 'number' && Number.isFinite(each) && Math.abs(each) >= 2 ** 63 && /^-?\d+$/.test(source)
      ? BigInt(source)
      : each;
  return JSON.parse(text, reread);
};

/** The value of a body. @throws HttpError 422 if it is nested too deep, 400 if it is not JSON. */
export const parseJsonBody = (bytes: Uint8Array): unknown => {
  if (isDeep(bytes)) {
    const msg = `Value error, nested deeper than ${maxDepth} levels`;
    throw new HttpError(422, [{ loc: ['body'], type: 'value_error', msg }]);
  }
  try {
    // `fatal`, because bytes that are not UTF-8 are not JSON. The decoder removes a byte order mark.
    return parseNumbers(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
};
