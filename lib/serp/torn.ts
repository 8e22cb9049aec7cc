/**
 * Finds out whether a part in the middle of a page is missing. What is before the gap then does not fit to
 * what is behind it: a tag has no other tag that closes it, an attribute has a piece of text in its name, or
 * a script contains the markup of the page. Elements of layout, such as `div`, do not count, because engines
 * sometimes close one too many or too few of them.
 */
import { type Element, isText } from 'domhandler';
import { isNamed } from './dom.ts';
import { mark } from './marks.ts';
import type { Page } from './page.ts';
import { elementsOf } from './page-cache.ts';
import { scriptsOf } from './scripts.ts';
import { spend } from './steps.ts';

/** Elements of titles, links and addresses: as many of each begin as end, on all saved pages. */
export const pairedNames = ['a', 'h2', 'h3', 'cite', 'ol', 'button', 'script'];

/** The whole text of a style, of which the tree has only the begin. */
const styleTextOf = (html: string, { children: [text] }: Element): string => {
  if (!text || !isText(text)) return '';
  const { startIndex, endIndex, data } = text;
  return startIndex !== null && endIndex !== null ? html.slice(startIndex, endIndex + 1) : data;
};

/** A script that lost its end goes on until that of the next script, over the markup between them. */
const isScriptWithPage = (script: string): boolean =>
  /<script[\s>]/.test(script) && /<\/(?:div|span|a)>\s*</.test(script);

const isStyle = isNamed('style');

/** A style that lost its end contains the markup behind it. */
const isStyleWithPage = (style: string): boolean => /<\/(?:div|span|a)>/.test(style);

/** Whether a part of the page is missing. `names`: the elements of which as many begin as end. */
export const isTorn = (page: Page, names = pairedNames): boolean => {
  spend(page.html.length >> 8);
  return (
    elementsOf(page.root).some(({ marks = 0 }) => (marks & mark.odd) !== 0) ||
    scriptsOf(page).some(isScriptWithPage) ||
    elementsOf(page.root).some(
      (element) => isStyle(element) && isStyleWithPage(styleTextOf(page.html, element)),
    ) ||
    names.some((name) => (page.unclosed.get(name) ?? 0) !== 0)
  );
};
