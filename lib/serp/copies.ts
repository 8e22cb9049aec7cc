/**
 * Results that a page does not show, and results that it has twice: hidden copies, which are read once, and
 * pages that stand in a page again, whose ranking is no ranking.
 */
import type { Element } from 'domhandler';
import type { ResultItem } from '../model/result.ts';
import { ancestors, has, isInside, type Test } from './dom.ts';
import { isRemovedBy } from './lines.ts';
import type { Page } from './page.ts';
import { identifiedIn } from './page-cache.ts';

type Shown = Partial<Pick<ResultItem, 'title' | 'url'>>;

/**
 * What two copies of a result have in common. Several results may lead to one address with other titles, and
 * the titles of a site may be the same.
 */
const keyOf = ({ title, url }: Shown): string => JSON.stringify([title, url]);

const hidingStyle =
  /(?<![\w-])(?:visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|(?:left|top|text-indent)\s*:\s*-\d{3})/i;

const hidingClass = /(?:^|[\s_-])(?:hide|hidden|invisible|off-?screen|sr-only)(?:$|[\s_-])/i;

/** Whether an element says that it is not shown. Results of a panel may say so, too, until scripts run. */
const isConcealed: Test = ({ attribs }) =>
  attribs.hidden !== undefined ||
  attribs['aria-hidden'] === 'true' ||
  isRemovedBy(attribs.style) ||
  hidingStyle.test(attribs.style ?? '') ||
  hidingClass.test(attribs.class ?? '');

/** Whether browsers make no box for an element. On saved pages, no result is in such an element. */
const isRemoved: Test = ({ attribs }) => attribs.hidden !== undefined || isRemovedBy(attribs.style);

/** The parts of a page without those whose results are in an element that browsers do not display. */
export const withoutRemoved = <Part extends { root: Element }>(
  parts: Part[],
  resultsOf: (part: Part) => Shown[],
): Part[] =>
  parts.filter(
    (part) => resultsOf(part).length === 0 || !(isRemoved(part.root) || isInside(part.root, isRemoved)),
  );

/**
 * The parts of a page without the hidden ones whose results are shown in another part, too. `resultsOf`: the
 * results of a part, if it can be a copy.
 */
export const withoutHiddenCopies = <Part extends { root: Element }>(
  parts: Part[],
  resultsOf: (part: Part) => Shown[],
): Part[] => {
  const urls = parts.flatMap((part) => resultsOf(part).map(({ url }) => url));
  // Copies have one address.
  if (new Set(urls).size === urls.length) return parts;
  const known = Map.groupBy(parts, (part) => resultsOf(part).map(keyOf).join());
  const hidden = new Set<Part>();
  for (const [key, same] of known) {
    if (key === '' || same.length < 2) continue;
    // What hides all of them tells no copy from the others.
    const boxes = same.map(({ root }) => [root, ...ancestors(root)]);
    const shared = new Set(boxes[0]).intersection(new Set(boxes[1]));
    const copies = same.filter((_, n) => boxes[n]?.some((box) => !shared.has(box) && isConcealed(box)));
    if (copies.length < same.length) for (const copy of copies) hidden.add(copy);
  }
  return hidden.size === 0 ? parts : parts.filter((part) => !hidden.has(part));
};

/** In a ranking that has a fifth of its results again, a part of the page is there twice. */
const maxShare = 1 / 5;

const isOrganic = ({ type }: Pick<ResultItem, 'type'>): boolean => type === 'organic';

/** Whether so many results of a page are there again that its ranking is wrong. On saved pages none is. */
export const repeatsRanking = (items: ResultItem[], isRanked = isOrganic): boolean => {
  const keys = items.filter(isRanked).map(keyOf);
  const different = new Set(keys).size;
  return different < keys.length && keys.length - different >= maxShare * different;
};

/** Whether a column of results is there twice: ids are unique on a page, so these are two pages. */
export const hasColumnTwice = ({ root }: Page, isColumn: Test, isResult: Test): boolean =>
  identifiedIn(root).filter((element) => isColumn(element) && has(element, isResult)).length > 1;
