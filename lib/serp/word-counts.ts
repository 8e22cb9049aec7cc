/** Counts the results that show each word of a query. */
import type { ResultItem } from '../model/result.ts';
import { maximumJudged } from './asked-sites.ts';
import type { Term } from './query-parts.ts';
import { type Shown, shownBy } from './shown.ts';
import { isInHiragana, plainTestOf, testOf } from './shown-words.ts';

/** Up to so many results, shares say little: what is around the results counts, too. */
export const fewResults = 5;

/** The share of a word that only the text around few results shows. */
export const shownAround = 0.3;

/** The only word of a query must be shown by so many results. */
export const onlyWord = 0.25;

/** A word of the query, and the share of the results that show it. */
export type Count = { term: Term; share: number };

/** The questions and the related terms of a page, which are about its query, each as a text. */
export const aroundOf = (items: ResultItem[]): ResultItem[] =>
  items
    .filter(({ type }) => type === 'related_search' || type === 'people_also_ask')
    .flatMap((item) => [
      { ...item, url: '' },
      ...(item.items ?? []).map((title) => ({ ...item, title, url: '', snippet: '' })),
    ])
    .filter(({ title, snippet }) => title !== '' || snippet !== '');

/**
 * The share of the results that show each word. If there are few, a word that questions or related terms show
 * counts as shown by some.
 */
export const countsOf = (terms: Term[], results: ResultItem[], page: ResultItem[]): Count[] => {
  const judged = results.slice(0, maximumJudged).map(shownBy);
  const around = results.length <= fewResults ? aroundOf(page).map(shownBy) : [];
  return terms.map((term) => {
    const isShown = testOf(term);
    const share = judged.filter(isShown).length / judged.length;
    return { term, share: share === 0 && around.some(isShown) ? shownAround : share };
  });
};

/**
 * Whether so many results show each word that no limit is below it: they are then for the query, whatever the
 * exact shares are. Most pages need a look at their first results only.
 */
export const areAllShown = (terms: Term[], results: ResultItem[]): boolean => {
  const judged = results.slice(0, maximumJudged);
  const areEnough = (isShown: (shown: Shown) => boolean): boolean => {
    let missing = Math.ceil(onlyWord * judged.length);
    return judged.some((item) => {
      if (isShown(shownBy(item))) missing -= 1;
      return missing === 0;
    });
  };
  return terms.every((term) => areEnough(plainTestOf(term)) || areEnough(testOf(term)));
};

/** The counts without optional words that few results show. */
export const withoutOptional = (counts: Count[]): Count[] =>
  counts.filter(({ term, share }) => share >= onlyWord || !term.isOptional);

/**
 * The counts without words in hiragana that few results show, if most results are Japanese texts with Han
 * signs: they may write the word in those.
 */
export const withoutReadings = (counts: Count[], results: ResultItem[]): Count[] => {
  const isUnknown = ({ term, share }: Count): boolean => share < onlyWord && isInHiragana(term);
  if (!counts.some(isUnknown)) return counts;
  const judged = results.slice(0, maximumJudged).map(shownBy);
  const japanese = judged.filter(({ isJapanese }) => isJapanese).length;
  return 2 * japanese > judged.length ? counts.filter((count) => !isUnknown(count)) : counts;
};
