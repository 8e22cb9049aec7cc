/**
 * What a page says about itself: the number of results, the search time, the query, and whether there is a
 * next page.
 */

import { has, hasId, isInside, isNamed, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { identifiedIn, namedIn, once, withRolesIn } from '../page-cache.ts';
import { isSameQuery } from '../query.ts';
import { scriptsOf } from '../scripts.ts';
import { asciiDigits } from '../text.ts';
import { isColumn } from './elements.ts';
import { otherSearches, searchParameters, startOf } from './own-search.ts';

export const totalResultsOf = (page: Page): string => {
  const stats = identifiedIn(page.root).find(hasId('result-stats', 'resultStats'));
  return stats ? textOf(stats) : '';
};

/** The last decimal number, in brackets. Full-width brackets are those of Chinese and Japanese. */
const timeInBrackets = /[(（][^()（）]{0,60}?(?<![\d.,])(\d{1,6}[.,]\d{1,6})\D*$/;

/**
 * In seconds: the number in the brackets behind the number of results, such as `(0.68 seconds)` or
 * `(0,25 Sek.)`. Null if the line has none.
 */
export const searchTimeOf = (totalResults: string): number | null => {
  const seconds = timeInBrackets.exec(asciiDigits(totalResults))?.[1];
  return seconds ? Number(seconds.replace(',', '.')) : null;
};

const isBox: Test = ({ attribs }) => attribs.name === 'q';

export const queryOf = once(({ root }: Page): string => {
  const boxes = [namedIn(root, 'input').find(isBox), namedIn(root, 'textarea').find(isBox)];
  const [box] = boxes.filter((one) => one !== undefined).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return (box?.name === 'textarea' ? textOf(box) : box?.attribs.value)?.trim() ?? '';
});

/** Links to other pages that a script adds are in the script, with escaped signs. */
const escapedStart = /[?&;6]start(?:\\x3d|\\u003d)(\d+)/g;

/** Most scripts do not have the beginning of it, and a plain search is faster than a pattern. */
const beginOfEscaped = 'start\\';

const isPager: Test = (element) =>
  element.attribs.role === 'navigation' && has(element, isNamed('tr')) && isInside(element, isColumn);

/** The row of page numbers without any number, which a desktop page has if it is the only one. */
const hasEmptyPager = (page: Page): boolean =>
  withRolesIn(page.root).some((element) => isPager(element) && !has(element, isNamed('a')));

/**
 * Whether a link is to the same search with other parameters, but without `start`, as links to more results
 * on mobile pages are.
 */
const isMoreLink =
  (query: string): Test =>
  (element) => {
    const parameters = searchParameters(element);
    return (
      parameters !== undefined &&
      query !== '' &&
      parameters.get('q')?.trim() === query &&
      !otherSearches.some((name) => parameters.has(name)) &&
      isInside(element, hasId('botstuff'))
    );
  };

/**
 * Whether a later page must be expected. False only if the page proves to be the last: its links to pages
 * lead to earlier ones only, or its row of page numbers is empty. Silence proves nothing: an endless list has
 * no links to pages.
 *
 * A page links to other pages, not to itself. So if the links skip a page before the last linked one, that is
 * the current page, and another follows. This holds for numbered pages, for a single "next" link, and for
 * "more results" on mobile.
 */
export const hasNext = (page: Page): boolean => {
  const starts = new Set<number>();
  const links = namedIn(page.root, 'a');
  for (const link of links) {
    const start = startOf(link);
    if (start !== undefined) starts.add(start);
  }
  const last = Math.max(...starts, 0);
  for (let start = 0; start < last; start += 10) if (!starts.has(start)) return true;
  const isAfterLast = (script: string): boolean =>
    script.includes(beginOfEscaped) &&
    script.matchAll(escapedStart).some(([, start]) => Number(start) > last);
  if (scriptsOf(page).some(isAfterLast)) return true;
  if (links.some(isMoreLink(queryOf(page)))) return true;
  return starts.size === 0 && !hasEmptyPager(page);
};

/** Parameters of a part of the results, such as another page, a time or a language. */
const partParameters = ['start', 'tbs', 'lr', 'tbm', 'udm'];

/**
 * Whether a link leads to the results for the words of a query as they were typed. If the request has asked
 * for those, the links to parts of the results do, too.
 */
export const hasRecourse = (page: Page, query: string): boolean =>
  namedIn(page.root, 'a').some((link) => {
    const parameters = searchParameters(link);
    return (
      parameters?.get('nfpr') === '1' &&
      !partParameters.some((name) => parameters.has(name)) &&
      isSameQuery(parameters.get('q') ?? '', query)
    );
  });
