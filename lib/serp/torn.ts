/**
 * Finds out whether a part in the middle of a page is missing. What is before the gap then does not fit to
 * what is behind it: elements of several kinds do not end or do not begin, an attribute has a piece of text
 * in its name, or a script contains the markup of the page. Markup that is only careless is accepted: end
 * tags that HTML allows to leave out, elements that end in the wrong order, and one kind of element, such as
 * `div`, of which the engine closes too many or too few.
 */
import { type Element, isText } from 'domhandler';
import { isMarked, mark } from './marks.ts';
import type { Page } from './page.ts';
import { elementsOf, namedIn } from './page-cache.ts';
import { scriptsOf } from './scripts.ts';
import { spend } from './steps.ts';

/** Elements whose end tag HTML allows to leave out. */
const mayLackEnd = new Set(
  'html head body li dt dd p rt rp option optgroup caption colgroup thead tbody tfoot tr td th'.split(' '),
);

/**
 * The minimum number of kinds of elements of which not as many begin as end. A gap is inside of some elements
 * before it and of others behind it. An engine that forgets an end tag, or has one too many, does so with one
 * kind, perhaps in each result.
 */
const minUneven = 2;

/** A script or a style without its begin or its end shows a gap alone: engines write whole ones. */
const isWhollyWritten = (name: string): boolean => name === 'script' || name === 'style';

const isUneven = ([name, count]: [string, number]): boolean =>
  count < 0 || (count > 0 && !mayLackEnd.has(name));

const hasUnevenTags = ({ unclosed }: Page): boolean => {
  const uneven = [...unclosed].filter(isUneven);
  return uneven.length >= minUneven || uneven.some(([name]) => isWhollyWritten(name));
};

/** The whole text of a style, of which the tree has only the begin. */
const styleTextOf = (html: string, { children: [text] }: Element): string => {
  if (!text || !isText(text)) return '';
  const { startIndex, endIndex, data } = text;
  return startIndex !== null && endIndex !== null ? html.slice(startIndex, endIndex + 1) : data;
};

/**
 * A script that lost its end goes on until that of the next script, over the markup between them. The plain
 * search is several times faster than the first expression, and finds nothing in most scripts.
 */
const isScriptWithPage = (script: string): boolean =>
  script.includes('<script') && /<script[\s>]/.test(script) && /<\/(?:div|span|a)>\s*</.test(script);

/** A style that lost its end contains the markup behind it. */
const isStyleWithPage = (style: string): boolean => style.includes('</') && /<\/(?:div|span|a)>/.test(style);

/** Whether a part of the page is missing. */
export const isTorn = (page: Page): boolean => {
  spend(page.html.length >> 8);
  return (
    elementsOf(page.root).some((element) => isMarked(element, mark.odd)) ||
    scriptsOf(page).some(isScriptWithPage) ||
    namedIn(page.root, 'style').some((style) => isStyleWithPage(styleTextOf(page.html, style))) ||
    hasUnevenTags(page)
  );
};
