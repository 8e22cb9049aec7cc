/** From the pages of a task to its one result: renumbered over pages and cut at the depth (Reading 5). */
import type { ItemType, RawResult, ResultItem } from '../model/result.ts';
import { numberItems } from './number.ts';

/** Depth counts organic results: those beyond it go, and everything else on the pages read stays. */
const cut = (items: ResultItem[], depth: number): ResultItem[] => {
  let organic = 0;
  return items.filter((item) => item.type !== 'organic' || ++organic <= depth);
};

/**
 * One result of the pages given in page order. Only organic results are cut at `depth`: ads, questions, related searches and the sidebar belong
 * to pages that were asked for, even below the last organic result wanted. What two pages both show stands twice, since each page shows it.
 * `position` counts within the type over both arrays, so that no two items of a type share a number.
 */
export const mergePages = (pages: RawResult[], depth: number): RawResult => {
  const counts = new Map<ItemType, number>();
  return {
    left: numberItems(
      cut(
        pages.flatMap((page) => page.left),
        depth,
      ),
      counts,
    ),
    right: numberItems(
      pages.flatMap((page) => page.right),
      counts,
    ),
  };
};

/** Reading 11: the first ten distinct hosts of the organic results, in order, without `www.`; unknown hosts are passed over. */
export const topTen = (result: RawResult): string[] => {
  const hosts = result.left.filter((item) => item.type === 'organic').map((item) => item.domain ?? '');
  return [...new Set(hosts)].filter((host) => host !== '').slice(0, 10);
};
