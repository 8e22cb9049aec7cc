/**
 * The rules of verdicts that hold for every engine, and the form in which an engine adds its own (Reading 7).
 */

import type { Verdict } from '../model/parsed-page.ts';
import { find, has, isNamed } from './dom.ts';
import type { PageFetch } from './engine-reader.ts';
import { contentOf, textOf } from './lines.ts';
import type { Page } from './page.ts';

/** A verdict, and the test that gives it. */
export type Rule<Case> = readonly [Verdict, (page: Case) => boolean];

/** The verdict of the first rule that holds; `unknown_layout` if none does. */
export const firstVerdict = <Case>(rules: readonly Rule<Case>[], page: Case): Verdict =>
  rules.find(([, holds]) => holds(page))?.[0] ?? 'unknown_layout';

/**
 * Matches what browser extensions and archives add after a document: short texts, and elements that are
 * closed.
 */
const addition = /^(?:[^<]|<!--(?:(?!-->)[\s\S])*-->|<([a-z][\w-]*)(?![\w-])[^>]*>[^<]*<\/\1\s*>)*$/i;
const longestAddition = 1024;

const endTag = /<\/html/i;

/** A search from the front is several times faster than one from the end. Most tails have no comment. */
const isInComment = (tail: string, at: number): boolean => {
  const comment = tail.includes('<!--') ? tail.lastIndexOf('<!--', at) : -1;
  if (comment < 0) return false;
  const end = tail.indexOf('-->', comment);
  return end < 0 || end > at;
};

/**
 * Whether an HTML document is complete, not cut off. Finds the end with a plain text search, because a
 * regular expression would be slow on a long hostile page.
 */
export const isWhole = (html: string): boolean => {
  const tail = html.slice(-65_536).trimEnd();
  if (!endTag.test(tail)) return false;
  // Only the text after the last tag in lower case can have a later one with capitals.
  const lower = tail.lastIndexOf('</html');
  const behindLower = tail
    .slice(lower + 1)
    .toLowerCase()
    .lastIndexOf('</html');
  const end = behindLower < 0 ? lower : lower + 1 + behindLower;
  if (isInComment(tail, end)) return false;
  const behind = tail.slice(tail.indexOf('>', end) + 1);
  return behind.length <= longestAddition && addition.test(behind);
};

/** Whether the status alone means that the engine refused the request. */
export const isRefusal = ({ status }: PageFetch): boolean => [403, 429, 503].includes(status);

/** The same numbers, but not in a longer one. */
const shownRefusal = /(?<![A-Za-z\p{N}.,])(?:403|429|503)(?![A-Za-z\p{N}])/u;

const isHead = isNamed('title', 'h1');

/** A page about an error has no field, and a few sentences. */
const maxRefusal = 2000;

/**
 * Whether a page without results names such a status in its title or its heading. What fetched the page may
 * have replaced the status by 200.
 */
export const namesRefusal = ({ root }: Page): boolean =>
  find(root, (element) => isHead(element) && shownRefusal.test(textOf(element))) !== undefined &&
  !has(root, isNamed('input', 'textarea')) &&
  contentOf(root).length <= maxRefusal;

export const isError = ({ status }: PageFetch): boolean => status < 200 || status > 299;
