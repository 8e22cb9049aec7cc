/**
 * The rules of verdicts that hold for list pages, and the form in which an engine adds its own (Reading 7).
 */
import { isTag } from 'domhandler';
import type { ParsedPage, Verdict } from '../../model/parsed-page.ts';
import { find, has, isNamed, type Test } from '../dom.ts';
import type { PageFetch } from '../engine-reader.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { readWithin } from '../steps.ts';
import { firstVerdict, type Rule } from '../verdict.ts';

export type Case = { page: Page; parsed: ParsedPage; fetch: PageFetch };

/** The URL after redirects; null if it is unknown. */
export const finalUrl = ({ fetch }: Case): URL | null => URL.parse(fetch.url);

/** How a message marks the words of the query. */
export const isEmphasis = isNamed('strong', 'em', 'b');

/** A link that has lost its target. */
export const isDeadLink: Test = ({ name, attribs }) => name === 'a' && attribs.href === undefined;

const hasBodyText = (page: Page): boolean => {
  const children = find(page.root, isNamed('body'))?.children ?? [];
  return children.some((child) => isTag(child) && textOf(child).length > 200);
};

/** A page without scripts that run the search is no script wall: no browser gets past it. */
export const isScriptWall = ({ page }: Case): boolean =>
  has(page.root, isNamed('noscript')) && has(page.root, isNamed('script')) && !hasBodyText(page);

/** Saved real pages need far fewer steps. */
const maxSteps = 1_000_000;

/**
 * Judges a page by the first rule that holds. Only `results` and `empty` may become a result. The rules are
 * about structure and attributes, never about the page's words, size or file name. A page that needs too many
 * steps is `unknown_layout`.
 */
export const judgeBy =
  (rules: Rule<Case>[]) =>
  (page: Page, parsed: ParsedPage, fetch: PageFetch): Verdict =>
    readWithin(maxSteps, () => firstVerdict(rules, { page, parsed, fetch })) ?? 'unknown_layout';
