/** Recognizes results of list pages that were not read, beside those that were. */
import type { Element } from 'domhandler';
import { hostOf, isSameSite } from '../host.ts';
import { linesOf } from '../lines.ts';

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
 * How many items may be results that have lost their marks: they are in a list with results and have
 * the classes of one, and their links lead to one site and they show its address, or they have no link and
 * show an address. The cards of other
 * blocks lead to several sites.
 */
export const countSimilar = ({ items, isResult, urlsIn, showsAddress }: Items): number => {
  const results = items.filter(isResult);
  const lists = new Set(results.map(({ parent }) => parent));
  const classes = new Set(results.map(({ attribs }) => attribs.class));
  return items.filter((item) => {
    if (isResult(item) || !lists.has(item.parent) || !classes.has(item.attribs.class)) return false;
    const [url = '', ...others] = urlsIn(item);
    if (url === '') return showsAddress(item);
    return (
      others.every((other) => hostOf(other) === hostOf(url)) &&
      linesOf(item).some((line) => isSameSite(url, line))
    );
  }).length;
};

/**
 * Whether the only item that may be a lost result is an odd card: it has another class than
 * results, which all of them have. A result that has lost other marks still has it. Several such items may be
 * results of a new kind.
 */
export const isOddCard = (
  [item, ...others]: Element[],
  results: Element[],
  hasResultClass: (item: Element) => boolean,
): boolean =>
  item !== undefined &&
  others.length === 0 &&
  results.length > 0 &&
  results.every(hasResultClass) &&
  !hasResultClass(item) &&
  (item.attribs.class ?? '') !== '' &&
  results.every(({ attribs }) => attribs.class !== item.attribs.class);
