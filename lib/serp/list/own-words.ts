/** How the query that a list page names is compared with the one that was asked (Reading 7). */
import type { ParsedPage } from '../../model/parsed-page.ts';
import { correctionIn } from '../correction.ts';
import { find, isInside, isNamed } from '../dom.ts';
import type { PageFetch } from '../engine-reader.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { isSameQuery, normalized } from '../query.ts';
import { isCloseVariant } from '../variants.ts';

/** A time so far after the fetch, in seconds, is no time, but a part of an id of another form. */
export const latestTime = 2 * 365 * 86_400;

const titleOf = (page: Page): string => {
  const title = find(page.root, (element) => element.name === 'title' && !isInside(element, isNamed('svg')));
  return title ? textOf(title) : '';
};

/**
 * Whether a text that may be absent contains the query, as the title of a page does. A query of signs only is
 * found as it is: `normalized` leaves no signs beside other words.
 */
const isForQuery = (text: string, query: string): boolean =>
  text === '' || text.includes(query) || normalized(text).includes(normalized(query));

/** The queries that a page names: in the search box, and in its links to other pages. */
type NamedQueries = { box: string; searched: string[] };

/**
 * Whether the search box, the title or the links to other pages name another query than the one asked. The
 * links may name a correction of the query, so one of box and title must agree.
 */
export const namesOtherQuery = (
  page: Page,
  { box, searched }: NamedQueries,
  { left }: ParsedPage,
  { query }: PageFetch,
): boolean => {
  if (query === '') return false;
  const title = titleOf(page);
  const corrected = correctionIn(query, [box, ...searched]);
  const own = [query, corrected].filter((one) => one !== '');
  if (box !== '' && !own.some((one) => isSameQuery(box, one))) return true;
  if (!own.some((one) => isForQuery(title, one))) return true;
  // A silent spelling is not the page's own word: the reader adds it.
  const said = left.filter(({ type, state }) => type === 'spelling' && state !== 'silent');
  const known = [...own, ...said.map((item) => item.title)];
  const others = searched.filter((other) => !known.some((one) => isSameQuery(one, other)));
  return (
    new Set(searched.map(normalized)).size > 1 ||
    others.some((other) => (box === '' && title === '') || !isCloseVariant(query, other))
  );
};
