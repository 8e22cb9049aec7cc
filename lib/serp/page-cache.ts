/** What is found once for each page, and kept until the next page is parsed. */
import { type Element, isTag, type ParentNode } from 'domhandler';
import { nextNode } from './dom.ts';
import { mark, mayHave } from './marks.ts';
import { latestElements, setLatestPage, startIn } from './page-order.ts';
import { spend } from './steps.ts';

/** A new value for each parsed page. */
let generation = {};

/**
 * The elements of the latest page that may have a mark of `listedMarks`, in page order: about one in three.
 */
let marked: readonly Element[] = [];

/** Empties the caches of `once`, because names or attributes of a tree have changed. */
export const forgetFound = (): void => {
  generation = {};
  marked = latestElements();
};

/** Empties the caches of `once`. Call it for each new page, so that they keep at most one page in memory. */
export const beginPage = (page: ParentNode, elements: Element[], withMarks = elements): void => {
  setLatestPage(page, elements);
  forgetFound();
  marked = withMarks;
};

/** Stands for a result that is undefined: one look into a cache then tells whether there is a result. */
const nothing = Symbol('nothing');

/**
 * Caches the result for each element or page. This is safe because the structure of a tree never changes.
 * Each page gets new maps. Maps that several pages use, also weak ones, keep the elements of earlier pages
 * alive until a full garbage collection, which takes longer than the reading.
 */
export const once = <Key extends object, T>(compute: (key: Key) => T): ((key: Key) => T) => {
  let own = generation;
  let cache = new Map<Key, T | typeof nothing>();
  return (key) => {
    if (own !== generation) {
      own = generation;
      cache = new Map();
    }
    const known = cache.get(key);
    if (known !== undefined) return known === nothing ? (undefined as T) : (known as T);
    const value = compute(key);
    cache.set(key, value === undefined ? nothing : value);
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
export const elementsOf = (page: ParentNode): readonly Element[] => {
  const all = startIn(page) === 0 ? latestElements() : allElements(page);
  spend(all.length >> 3);
  return all;
};

/** The elements of a page that may have a mark of `listedMarks`, in page order. */
export const markedIn = (page: ParentNode): readonly Element[] =>
  startIn(page) === 0 ? marked : elementsOf(page);

/** The elements of a page that have an id, in page order: about one in ten. */
export const identifiedIn = once((page: ParentNode): Element[] =>
  markedIn(page).filter((element) => mayHave(element, mark.id) && element.attribs.id !== undefined),
);

/** The elements of a page that may have a role. */
export const withRolesIn = once((page: ParentNode): Element[] =>
  markedIn(page).filter((element) => mayHave(element, mark.role)),
);

/** The elements of a page that may have `data-` attributes. */
export const withDataIn = once((page: ParentNode): Element[] =>
  elementsOf(page).filter((element) => mayHave(element, mark.data)),
);

const byName = once((page: ParentNode): ReadonlyMap<string, Element[]> => {
  const found = new Map<string, Element[]>();
  for (const element of elementsOf(page)) {
    const same = found.get(element.name);
    if (same) same.push(element);
    else found.set(element.name, [element]);
  }
  return found;
});

const none: readonly Element[] = [];

/** The elements of a page with a name, in page order. */
export const namedIn = (page: ParentNode, name: string): readonly Element[] => byName(page).get(name) ?? none;
