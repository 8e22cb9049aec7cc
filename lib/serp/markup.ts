/** Reads the parts of markup from the text of a page: names, attributes, and where a part ends. */
import { decodeHTMLAttribute } from 'entities/decode';
import { mark, markOf } from './marks.ts';

/** Codes of the signs of markup. */
export const sign = {
  quote: 34,
  apostrophe: 39,
  slash: 47,
  less: 60,
  equals: 61,
  greater: 62,
  exclamation: 33,
  question: 63,
} as const;

const isSpace = (code: number): boolean =>
  code === 32 || code === 10 || code === 9 || code === 13 || code === 12;

export const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** Whether a tag name ends before this sign. */
const endsName = (code: number): boolean => code === sign.greater || code === sign.slash || isSpace(code);

/**
 * The index after the name of a tag that begins at `start`; the end of the page if nothing follows the name.
 */
export const endOfName = (html: string, start: number): number => {
  let at = start + 1;
  while (at < html.length && !endsName(html.charCodeAt(at))) at++;
  return at;
};

/**
 * Names by a hash of their signs. Most names occur many times, and a new string is slow as the key of an
 * object.
 */
const knownNames: string[] = Array.from({ length: 512 }, () => '');
const longestKnown = 24;

/** The name at `start`, in lower case. */
export const nameIn = (html: string, start: number, end: number): string => {
  const length = end - start;
  const middle = html.charCodeAt(start + (length >> 1));
  const hash = (length * 31 + html.charCodeAt(start) * 7 + middle * 13 + html.charCodeAt(end - 1)) & 511;
  const known = knownNames[hash] ?? '';
  if (known.length === length && html.startsWith(known, start)) return known;
  const name = html.slice(start, end).toLowerCase();
  if (length > longestKnown) return name;
  // The engine copies the key of an object, so the key does not keep the whole page in memory.
  const [key = name] = Object.keys({ [name]: true });
  knownNames[hash] = key;
  return key;
};

export type Attributes = Record<string, string>;

/**
 * Without a prototype, so that all elements have attributes of the same internal type: the tests of
 * attributes are faster then.
 */
export const newAttributes = (): Attributes => Object.create(null);

/**
 * A start tag, without its name. `parts`: the number of its attributes, with those that it repeats. `marks`:
 * the kinds of its attributes.
 */
export type Tag = { attributes: Attributes; isSelfClosing: boolean; parts: number; marks: number };

export const newTag = (): Tag => ({
  attributes: newAttributes(),
  isSelfClosing: false,
  parts: 0,
  marks: 0,
});

/**
 * Elements of real pages have at most 42 attributes. Further ones are read, but not kept: an object with
 * thousands of new names is slow.
 */
const maxAttributes = 128;

/**
 * Reads attributes from `start` until the `>` of the tag, in place of what `tag` had. The index of the `>`;
 * the end of the page if there is none.
 */
export const readAttributes = (html: string, start: number, tag: Tag): number => {
  const { length } = html;
  const attributes = newAttributes();
  tag.attributes = attributes;
  tag.isSelfClosing = false;
  tag.parts = 0;
  tag.marks = 0;
  let at = start;
  while (at < length) {
    let code = html.charCodeAt(at);
    if (isSpace(code)) {
      at++;
      continue;
    }
    if (code === sign.greater) return at;
    if (code === sign.slash) {
      at++;
      while (at < length && isSpace(html.charCodeAt(at))) at++;
      tag.isSelfClosing = html.charCodeAt(at) === sign.greater;
      continue;
    }
    const nameStart = at;
    at++;
    while (at < length) {
      code = html.charCodeAt(at);
      if (code === sign.equals || endsName(code)) break;
      if (code === sign.quote || code === sign.less) tag.marks |= mark.odd;
      at++;
    }
    const name = tag.parts < maxAttributes ? nameIn(html, nameStart, at) : '';
    while (at < length && isSpace(html.charCodeAt(at))) at++;
    let value = '';
    if (html.charCodeAt(at) === sign.equals) {
      at++;
      while (at < length && isSpace(html.charCodeAt(at))) at++;
      const valueStart = at;
      code = html.charCodeAt(at);
      if (code === sign.quote || code === sign.apostrophe) {
        const valueEnd = html.indexOf(code === sign.quote ? '"' : "'", valueStart + 1);
        if (valueEnd < 0) return length;
        value = html.slice(valueStart + 1, valueEnd);
        at = valueEnd + 1;
      } else {
        while (at < length) {
          code = html.charCodeAt(at);
          if (code === sign.greater || isSpace(code)) break;
          at++;
        }
        value = html.slice(valueStart, at);
      }
      if (value.includes('&')) value = decodeHTMLAttribute(value);
    }
    tag.parts += 1;
    tag.marks |= value === '' ? mark.empty | markOf(name) : markOf(name);
    if (tag.parts <= maxAttributes && attributes[name] === undefined) attributes[name] = value;
  }
  return length;
};

/** The index of the end tag of an element that has only text; the end of the page if there is none. */
export const endOfText = (html: string, name: string, start: number): number => {
  for (let at = html.indexOf('</', start); at >= 0; at = html.indexOf('</', at + 2)) {
    const end = at + 2 + name.length;
    if (endsName(html.charCodeAt(end)) && html.slice(at + 2, end).toLowerCase() === name) return at;
  }
  return html.length;
};

/** The index after the next occurrence of `mark`; the end of the page if there is none. */
export const after = (html: string, mark: string, from: number): number => {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
};

/**
 * The index after the comment (`<!--`) at `at`, which may also end with `--!>`. Both ends are looked for in
 * one pass: a page may have many comments with one end, and none with the other.
 */
export const afterComment = (html: string, at: number): number => {
  for (let dashes = html.indexOf('--', at + 2); dashes >= 0; dashes = html.indexOf('--', dashes + 1)) {
    const next = html.charCodeAt(dashes + 2);
    if (next === sign.greater) return dashes + 3;
    const isOddEnd = next === sign.exclamation && html.charCodeAt(dashes + 3) === sign.greater;
    if (isOddEnd && dashes >= at + 4) return dashes + 4;
  }
  return html.length;
};
