/** Recognizes results of list pages that were not read, beside those that were. */
import type { Element } from 'domhandler';
import { hostOf } from '../host.ts';

type Items = {
  /** The items of the main column. */
  items: Element[];
  isResult: (item: Element) => boolean;
  /** The URLs that the links of an item lead to. */
  urlsIn: (item: Element) => string[];
  /** Whether an item shows the address of a page. */
  showsAddress: (item: Element) => boolean;
};

/**
 * How many items may be results that have lost their marks: they are in a list with results, and their links
 * lead to one site, or they have no link and show an address. The cards of other blocks lead to several
 * sites.
 */
export const countSimilar = ({ items, isResult, urlsIn, showsAddress }: Items): number => {
  const lists = new Set(items.filter(isResult).map(({ parent }) => parent));
  return items.filter((item) => {
    if (isResult(item) || !lists.has(item.parent)) return false;
    const hosts = new Set(urlsIn(item).map(hostOf));
    return hosts.size === 1 || (hosts.size === 0 && showsAddress(item));
  }).length;
};
