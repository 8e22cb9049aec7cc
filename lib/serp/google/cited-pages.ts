/**
 * The pages that a generated overview cites for a text. The button behind the text has an id, and there is a
 * comment for each page with the id first: `[["<id>",["<title>",…,"<address>",…]…]]`, or, if an earlier
 * comment has the page, `[["<id>",…,"<address>",…]]`. A part of the page that a script adds has its comments
 * in the script.
 */
import { decodeHTML } from 'entities/decode';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { spend } from '../steps.ts';
import { targetOf } from './link.ts';

export type CitedPage = { title: string; url: string };

/** Real pages have at most 25 such comments, of at most 6,300 characters. */
const limits = { comments: 128, comment: 16_384 };

/** Where the title and the address are, in the pages of five sources from May 2025 to August 2026. */
const places = { title: 0, address: 5 };

/** Replaces the escapes of a string in a script. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gis, (_, short = '', long = '', sign = '') =>
    sign === '' ? String.fromCharCode(Number.parseInt(short || long, 16)) : sign,
  );

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const textAt = (list: unknown, index: number): string => {
  const value: unknown = Array.isArray(list) ? list[index] : undefined;
  if (typeof value !== 'string') return '';
  // What a script adds to the page may be escaped twice.
  return value.includes('\\u') ? unescaped(value) : value;
};

/** The comment that begins at an index, without its end. In a script, its end is escaped. */
const commentAt = (html: string, at: number): string => {
  const text = html.slice(at, at + limits.comment);
  spend(text.length >> 6);
  const end = text.search(/--(?:>|\\x3e|\\u003e)/i);
  return end < 0
    ? ''
    : decodeHTML(text.startsWith('>', end + 2) ? text.slice(0, end) : unescaped(text.slice(0, end)));
};

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\/(?!encrypted-tbn\d\.gstatic\.com\/)/.test(value);

/** The title is empty if an earlier comment has it. */
const pageIn = (entry: unknown): CitedPage | undefined => {
  if (!Array.isArray(entry)) return undefined;
  const details: unknown = entry.find((value) => isAddress(textAt(value, places.address)));
  const address = textAt(details, places.address) || textAt(entry, entry.findIndex(isAddress));
  const url = targetOf(address)?.url;
  return url === undefined ? undefined : { title: textAt(details, places.title), url };
};

const idsIn = (html: string): Set<string> =>
  new Set(Array.from(html.matchAll(/data-icl-uuid="([\w-]{6,64})"/g), ([, id = '']) => id));

/** Id → the pages that are cited with it, each once. */
export const citedPages = once(({ html }: Page): Map<string, CitedPage[]> => {
  const found = new Map<string, CitedPage[]>();
  if (!html.includes('data-icl-uuid=')) return found;
  const ids = idsIn(html);
  spend(html.length >> 5);
  let count = 0;
  for (const { 1: id = '', index } of html.matchAll(/\[\[(?:"|&quot;)([\w-]{6,64})(?:"|&quot;),/g)) {
    if (!ids.has(id)) continue;
    count += 1;
    if (count > limits.comments) break;
    const data = parsed(commentAt(html, index));
    const page = pageIn(Array.isArray(data) ? data[0] : undefined);
    const pages = found.get(id) ?? [];
    if (page && !pages.some(({ url }) => url === page.url)) pages.push(page);
    found.set(id, pages);
  }
  return found;
});
