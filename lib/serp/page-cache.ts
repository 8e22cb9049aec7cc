/** What is found once for each page, and kept until the next page is parsed. */
import { type Element, isTag, type ParentNode } from 'domhandler';
import { nextNode } from './dom.ts';
import { mark, mayHave } from './marks.ts';
import { spend } from './steps.ts';

/** A new value for each parsed page. */
let generation = {};

/** The latest parsed page, and its elements in page order. */
let latest: { page: ParentNode; elements: Element[] } | undefined;

/** Empties the caches of `once`. Call it for each new page, so that they keep at most one page in memory. */
export const beginPage = (page: ParentNode, elements: Element[]): void => {
  generation = {};
  latest = { page, elements };
};

/**
 * Caches the result for each element or page. This is safe because trees never change. Each page gets new
 * maps. Maps that several pages use, also weak ones, keep the elements of earlier pages alive until a full
 * garbage collection, which takes longer than the reading.
 */
export const once = <Key extends object, T>(compute: (key: Key) => T): ((key: Key) => T) => {
  let own = generation;
  let cache = new Map<Key, T>();
  return (key) => {
    if (own !== generation) {
      own = generation;
      cache = new Map();
    }
    const known = cache.get(key);
    if (known !== undefined || cache.has(key)) return known as T;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
};

const allElements = once((top: ParentNode): Element[] => {
  const all: Element[] = [];
  for (let node = top.firstChild; node; node = nextNode(node, top)) {
    if (isTag(node)) all.push(node);
  }
  spend(all.length);
  return all;
});

/**
 * All elements of a page, in page order. A pass over this list is several times faster than a walk over the
 * tree. Use it for whole pages only.
 */
export const elementsOf = (page: ParentNode): Element[] => {
  const all = latest?.page === page ? latest.elements : allElements(page);
  spend(all.length >> 3);
  return all;
};

/** The elements of a page that have an id, in page order: about one in ten. */
export const identifiedIn = once((page: ParentNode): Element[] =>
  elementsOf(page).filter((element) => mayHave(element, mark.id) && element.attribs.id !== undefined),
);
