/** Merges the pages of a task into its result: renumbers the items over all pages, and cuts off at the depth (Reading 5). */
import type { ItemType, RawResult, ResultItem } from '../model/result.ts';
import { numberItems } from './number.ts';

/** Removes the organic results beyond the depth. Depth counts organic results only, so all other items stay. */
const cutOff = (items: ResultItem[], depth: number): ResultItem[] => {
  let organic = 0;
  return items.filter((item) => item.type !== 'organic' || ++organic <= depth);
};

/**
 * Merges pages, given in page order, into one result. Only organic results are cut off at `depth`: ads, questions, related searches and
 * the sidebar belong to requested pages, even below the last organic result. An item that two pages show appears twice. `position`
 * counts within the type over both arrays, so no two items of a type have the same position.
 */
export const mergePages = (pages: RawResult[], depth: number): RawResult => {
  const counts = new Map<ItemType, number>();
  return {
    left: numberItems(
      cutOff(
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

/** Reading 11: the first ten distinct hosts of the organic results, in order, without `www.`. Skips unknown hosts. */
export const topTen = (result: RawResult): string[] => {
  const hosts = result.left.filter((item) => item.type === 'organic').map((item) => item.domain ?? '');
  return [...new Set(hosts)].filter((host) => host !== '').slice(0, 10);
};
