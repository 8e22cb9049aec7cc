/**
 * Merges the pages of a task into its result: renumbers the items over all pages, and cuts off at the depth
 * (Reading 5).
 */
import type { ItemType, RawResult, ResultItem } from '../model/result.ts';
import { numberItems } from './number.ts';
import { type SiteRules, webSites } from './tracking.ts';

/** Removes the items of the ranking beyond the depth. Depth counts only them, so all other items stay. */
const cutOff = (items: ResultItem[], depth: number, { ranked }: SiteRules): ResultItem[] => {
  let count = 0;
  return items.filter((item) => item.type !== ranked || ++count <= depth);
};

/**
 * Merges pages, given in page order, into one result. Only the items of the ranking (web results) are cut off
 * at `depth`: ads, questions, related searches and the sidebar belong to requested pages, even below the last
 * of them. An item that two pages show appears twice. `position` counts within the type over both arrays, so
 * no two items of a type have the same position.
 */
export const mergePages = (pages: RawResult[], depth: number, sites: SiteRules = webSites): RawResult => {
  const counts = new Map<ItemType, number>();
  return {
    left: numberItems(
      cutOff(
        pages.flatMap((page) => page.left),
        depth,
        sites,
      ),
      counts,
    ),
    right: numberItems(
      pages.flatMap((page) => page.right),
      counts,
    ),
  };
};

/**
 * Reading 11: the first ten distinct sites of the ranking, in order (of web results, hosts without `www.`).
 * Skips unknown sites.
 */
export const topTen = (result: RawResult, sites: SiteRules = webSites): string[] => {
  const names = result.left.filter((item) => item.type === sites.ranked).map(sites.siteOf);
  return [...new Set(names)].filter((name) => name !== '').slice(0, 10);
};
