/**
 * Finds the data of a page: the value of `ytInitialData` in its HTML, or the body itself, if it is an answer
 * of the search interface.
 */
import { isObject, type JsonObject } from './json.ts';

const isEmpty = (text: string): boolean => /^\s*\{\s*\}\s*$/.test(text);

const parse = (text: string): JsonObject | null => {
  try {
    const value = JSON.parse(text);
    return isObject(value) && !isEmpty(text) ? value : null;
  } catch {
    return null;
  }
};

/** The index behind the quote that ends the string that begins at `from`; -1 if it does not end. */
const endOfString = (text: string, from: number): number => {
  const quote = text[from] ?? '"';
  for (let end = text.indexOf(quote, from + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return -1;
};

/**
 * The index behind the brace that closes the one at `from`; -1 if none does. Braces in strings do not count.
 */
const endOfObject = (text: string, from: number): number => {
  const signs = /["{}]/g;
  let open = 0;
  signs.lastIndex = from;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    if (sign[0] === '"') {
      const end = endOfString(text, sign.index);
      if (end < 0) return -1;
      signs.lastIndex = end;
      continue;
    }
    open += sign[0] === '{' ? 1 : -1;
    if (open === 0) return sign.index + 1;
  }
  return -1;
};

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** The value of a JavaScript string without its quotes. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([\s\S]))/g,
    (_, hex?: string, unicode?: string, other = '') =>
      hex || unicode
        ? String.fromCharCode(Number.parseInt(hex ?? unicode ?? '', 16))
        : (escapes[other] ?? other),
  );

/**
 * The object of a script that only assigns it, as on all saved pages. In other scripts, braces are counted,
 * which takes longer.
 */
const wholeScript = (text: string, from: number): JsonObject | null => {
  const end = text.indexOf('</script', from);
  const script = text.slice(from, end < 0 ? text.length : end).trimEnd();
  const value = script.endsWith(';') ? script.slice(0, -1) : script;
  return value.startsWith('{') && value.endsWith('}') ? parse(value) : null;
};

const isString = (text: string, from: number): boolean => text[from] !== '{';

const endOfValue = (text: string, from: number): number =>
  isString(text, from) ? endOfString(text, from) : endOfObject(text, from);

/** Desktop pages assign an object, mobile pages and pages until 2019 a string with the JSON of the object. */
const valueAt = (text: string, from: number): JsonObject | null => {
  const whole = wholeScript(text, from);
  if (whole) return whole;
  const end = endOfValue(text, from);
  if (end < 0) return null;
  return parse(isString(text, from) ? unescaped(text.slice(from + 1, end - 1)) : text.slice(from, end));
};

/**
 * Scripts on a page mention the name, too. Without a limit, a page that assigns it often could cost the
 * square of its size.
 */
const maxTries = 8;

const assignsData = /ytInitialData["']?\]?\s*=\s*(?:JSON\.parse\(\s*)?(?=[{'"])/g;

/** What has no elements in it: comments, scripts, and elements that browsers do not run or show. */
const withoutElements = /<(!--|(?:script|style|template|noscript|textarea|title|xmp)(?![\w-]))/gi;

/** Whether a place of a page is in a comment or in an element whose scripts do not run. */
const isInert = (body: string, place: number): boolean => {
  withoutElements.lastIndex = 0;
  for (let begin = withoutElements.exec(body); begin; begin = withoutElements.exec(body)) {
    if (begin.index >= place) return false;
    const name = begin[1]?.toLowerCase() ?? '';
    const end = body.indexOf(name === '!--' ? '-->' : `</${name}`, begin.index + 4);
    if (end < 0 || end > place) return name !== 'script';
    withoutElements.lastIndex = end;
  }
  return false;
};

/** Where the values begin that are assigned to the name. */
const startsIn = (body: string) =>
  body
    .matchAll(assignsData)
    .map((found) => found.index + found[0].length)
    .take(maxTries)
    .filter((from) => !isInert(body, from));

/** Whether a page ends in the middle of its data. */
export const endsInData = (body: string): boolean => {
  const [from] = startsIn(body);
  return from !== undefined && endOfValue(body, from) < 0;
};

/**
 * The data of a page; null if there is none, or if it is cut off. Counts braces, because texts in the data
 * may look like its end.
 */
export const readData = (body: string): JsonObject | null => {
  if (/^\s*\{/.test(body)) return parse(body);
  for (const from of startsIn(body)) {
    const value = valueAt(body, from);
    if (value) return value;
  }
  return null;
};
