/**
 * The query that the results of a page are for, if it is not the one in the search box: a corrected one, or
 * some of its words. For all engines.
 */
import type { ParsedPage } from '../model/parsed-page.ts';
import type { RawResult, ResultItem } from '../model/result.ts';
import { numberItems } from './number.ts';
import { isSameQuery } from './query.ts';
import { fitOf, fitOfSearch } from './relevance.ts';
import { isVariant } from './variants.ts';

/** The spellings that the page says it searched for, or suggests. */
const spellingsIn = (left: ResultItem[]): string[] =>
  left.filter(({ type }) => type === 'spelling').map(({ title }) => title);

/**
 * The stated spelling that is no variant of the query, such as one on another keyboard: `gjujlf` is `погода`.
 * Only with the link to the results for the original words is it certain that the engine has searched for it.
 */
const replacementIn = (
  query: string,
  left: ResultItem[],
  hasRecourse: (query: string) => boolean,
): string => {
  const replacement = spellingsIn(left).find((spelling) => !isVariant(query, spelling)) ?? '';
  return replacement !== '' && hasRecourse(query) ? replacement : '';
};

/**
 * The query that the results are for instead, or the words of the query that they are for; undefined if they
 * are for all of it.
 */
const searchedFor = (
  query: string,
  { left, right }: RawResult,
  hasRecourse: (query: string) => boolean,
): string | undefined => {
  if (query === '') return undefined;
  const organic = left.filter(({ type }) => type === 'organic');
  const items = [...left, ...right];
  if (fitOf(query, organic, items).fit === 'fits') return undefined;
  const replacement = replacementIn(query, left, hasRecourse);
  if (replacement !== '') return replacement;
  const found = fitOfSearch(query, spellingsIn(left), organic, items);
  return found.fit === 'part' ? found.kept : undefined;
};

/** What the page itself says of the query that it has searched for. */
type Named = {
  /** The query that it names in place of the one in its box; empty if there is none. */
  other: string;
  /** Whether it links to the results for the words of a query as they were typed. */
  hasRecourse: (query: string) => boolean;
};

/**
 * Adds what the results are for. If the page does not say it in a sentence with a link, an item says so: the
 * engine has corrected or shortened the query silently.
 */
export const withSearched = (
  result: RawResult,
  query: string,
  { other, hasRecourse }: Named,
): Pick<ParsedPage, 'left' | 'searched'> => {
  const { left } = result;
  if (!left.some(({ type }) => type === 'organic')) return { left };
  const searched = other || searchedFor(query, result, hasRecourse);
  if (searched === undefined) return { left };
  const isSaid = spellingsIn(left).some((spelling) => isSameQuery(spelling, searched));
  if (searched === '' || isSaid) return { left, searched };
  const notice = { type: 'spelling', title: searched, state: 'silent' } as const;
  const rest = { position: '', url: '', breadcrumb: '', snippet: '' };
  return { left: numberItems([{ ...rest, ...notice }, ...left], new Map()), searched };
};
