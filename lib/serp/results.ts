/** What the results that were read from a page say about it, for the verdicts of all engines (Reading 7). */
import type { ParsedPage } from '../model/parsed-page.ts';
import { isCorrection } from './correction.ts';
import type { PageFetch } from './engine-reader.ts';
import { isOtherSite } from './host.ts';
import { isSameQuery } from './query.ts';
import { fitOfSearch } from './relevance.ts';

const organics = ({ left }: ParsedPage) => left.filter((item) => item.type === 'organic');

/**
 * Whether so many results are lost that the ranking of the others is wrong: two, or a fifth of those that
 * were found.
 */
export const areTooMany = (lost: number, found: number): boolean => lost >= 2 || lost > found / 5;

export const hasOrganic = (parsed: ParsedPage): boolean => organics(parsed).length > 0;

/** The spellings and the words that the page says it searched for, also in its search box. */
const spellingsOf = ({ left, searched, query }: ParsedPage, asked: string): string[] => [
  ...left.filter((item) => item.type === 'spelling').map((item) => item.title),
  ...(searched ? [searched] : []),
  ...(!isSameQuery(asked, query) && isCorrection(asked, query) ? [query] : []),
];

/**
 * Whether the results are for other words than the requested query. The text of the page's search box is used
 * only if the query is unknown, because the results of another search agree with that search's box.
 */
export const isDecoyPage = (parsed: ParsedPage, { query }: PageFetch): boolean =>
  fitOfSearch(query || parsed.query, spellingsOf(parsed, query), organics(parsed), [
    ...parsed.left,
    ...parsed.right,
  ]).fit === 'foreign';

/** Whether a web result shows another site than the one that it links to. */
export const showsOtherHost = ({ left }: ParsedPage): boolean =>
  left.some(
    ({ type, url, url_resolution, breadcrumb }) =>
      type === 'organic' && url_resolution !== 'opaque' && isOtherSite(url, breadcrumb),
  );
