/** Reads a tree of elements and its visible text. The walks do not recurse, because a broken page may have any depth. */
import { type AnyNode, type Element, isTag, isText, type ParentNode } from 'domhandler';

export type Test = (element: Element) => boolean;

const withoutText = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);

class OutOfSteps extends Error {
  override name = 'OutOfSteps';
}

/** The steps of the current reading, and their limit. Reading is synchronous, so there is one reading at a time. */
let used = 0;
let limit = Number.POSITIVE_INFINITY;

/**
 * Counts steps of the current reading, and ends the reading if they exceed its limit. The functions of this file count one step for each
 * visited node and ancestor, and more for text. They count at the end of a walk, so a reading may exceed its limit by one walk.
 */
export const spend = (steps: number): void => {
  used += steps;
  if (used > limit) throw new OutOfSteps();
};

/** Runs one reading of a page. Undefined if the reading needs more steps than `maxSteps`. */
export const readWithin = <T>(maxSteps: number, read: () => T): T | undefined => {
  used = 0;
  limit = maxSteps;
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    return undefined;
  } finally {
    limit = Number.POSITIVE_INFINITY;
  }
};

/** The steps of the latest reading. */
export const stepsUsed = (): number => used;

/** The next node in page order after everything in `node`; null at the end of `top`. */
const nextAfter = (node: AnyNode, top: ParentNode): AnyNode | null => {
  let at: AnyNode = node;
  while (!at.next) {
    if (!at.parent || at.parent === top) return null;
    at = at.parent;
  }
  return at.next;
};

/** The first child of an element that has any. */
const firstIn = (node: AnyNode): AnyNode | null => (isTag(node) ? (node.children[0] ?? null) : null);

/** Visits the elements under `top` in page order, without `top` itself. If `visit` returns false, the walk skips the element's children. */
export const walk = (top: ParentNode, visit: (element: Element) => boolean): void => {
  let node: AnyNode | null = top.firstChild;
  while (node) {
    spend(1);
    node = (isTag(node) && visit(node) && firstIn(node)) || nextAfter(node, top);
  }
};

export const findAll = (top: ParentNode, test: Test): Element[] => {
  const found: Element[] = [];
  let steps = 0;
  for (let node = top.firstChild; node; node = firstIn(node) ?? nextAfter(node, top)) {
    steps += 1;
    if (isTag(node) && test(node)) found.push(node);
  }
  spend(steps);
  return found;
};

export const find = (top: ParentNode, test: Test): Element | undefined => {
  let found: Element | undefined;
  let steps = 0;
  for (let node = top.firstChild; node && !found; node = firstIn(node) ?? nextAfter(node, top)) {
    steps += 1;
    if (isTag(node) && test(node)) found = node;
  }
  spend(steps);
  return found;
};

export const has = (top: ParentNode, test: Test): boolean => find(top, test) !== undefined;

const parentOf = (element: Element): Element | undefined =>
  element.parent && isTag(element.parent) ? element.parent : undefined;

/** Real pages are about 60 elements deep. Without this limit, the cost of a broken page would be the square of its depth. */
const maxAncestors = 256;

/** The ancestors from the inside out, without the element itself: at most as many as `maxAncestors`. */
export const ancestors = (element: Element): Element[] => {
  const found: Element[] = [];
  for (let up = parentOf(element); up && found.length < maxAncestors; up = parentOf(up)) found.push(up);
  spend(found.length);
  return found;
};

export const isInside = (element: Element, test: Test): boolean => {
  let isFound = false;
  let steps = 0;
  for (let up = parentOf(element); up && !isFound && steps < maxAncestors; up = parentOf(up)) {
    isFound = test(up);
    steps += 1;
  }
  spend(steps);
  return isFound;
};

export const hasClass =
  (...names: string[]): Test =>
  ({ attribs }) => {
    const classes = attribs.class;
    if (classes === undefined) return false;
    for (const name of names) {
      if (classes.includes(name) && ` ${classes} `.includes(` ${name} `)) return true;
    }
    return false;
  };

export const isNamed =
  (...names: string[]): Test =>
  ({ name }) =>
    names.includes(name);

/** Whether the page hides the element. For lines of text only: whole blocks of results may be hidden until scripts run. */
export const isHidden: Test = ({ attribs }) =>
  attribs.role === 'dialog' || (attribs.style !== undefined && /display:\s*none/.test(attribs.style));

const blocks = new Set(
  'address article dd div dl dt figure h1 h2 h3 h4 h5 h6 header footer li ol p section table tbody td th tr ul'.split(
    ' ',
  ),
);

const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** White space other than single spaces, or an invisible sign. Most texts have none, and a test is cheaper than a replacement. */
const untidy = /\s\s|[^\S ]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/;

const tidy = (text: string): string =>
  (untidy.test(text) ? text.replace(invisible, '').replace(/\s+/g, ' ') : text).trim();

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
 * Caches the result for each element or page. This is safe because trees never change. Each page gets new maps. Maps that several pages use,
 * also weak ones, keep the elements of earlier pages alive until a full garbage collection, which takes longer than the reading.
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
  for (let node = top.firstChild; node; node = firstIn(node) ?? nextAfter(node, top)) {
    if (isTag(node)) all.push(node);
  }
  spend(all.length);
  return all;
});

/** All elements of a page, in page order. A pass over this list is several times faster than a walk over the tree. Use it for whole pages only. */
export const elementsOf = (page: ParentNode): Element[] => {
  const all = latest?.page === page ? latest.elements : allElements(page);
  spend(all.length >> 3);
  return all;
};

/** The elements of a page that have an id, in page order: about one in ten. */
export const identifiedIn = once((page: ParentNode): Element[] =>
  elementsOf(page).filter(({ attribs }) => attribs.id !== undefined),
);

/** Preparing the lines of an element takes as long as visiting this many nodes. Their text is counted on top. */
const stepsOfLines = 16;

/** The text in an element, one line per block with text. Skips scripts, hidden elements and the elements that `leaveOut` matches. */
export const linesOf = (top: ParentNode, leaveOut: Test = () => false): string[] => {
  const lines: string[] = [];
  let line = '';
  const endLine = (): void => {
    const text = line === '' ? '' : tidy(line);
    if (text !== '') lines.push(text);
    line = '';
  };
  const breakLine = (node: AnyNode | ParentNode): void => {
    if (line !== '' && isTag(node) && blocks.has(node.name)) endLine();
  };
  let node: AnyNode | null = isTag(top) && withoutText.has(top.name) ? null : top.firstChild;
  let steps = stepsOfLines;
  while (node) {
    steps += 1;
    breakLine(node);
    let inside: AnyNode | null = null;
    if (isText(node)) {
      steps += 4 + (node.data.length >> 3);
      line += node.data;
    } else if (isTag(node) && node.name === 'br') line += ' ';
    else if (isTag(node) && !withoutText.has(node.name) && !isHidden(node) && !leaveOut(node))
      inside = node.firstChild;
    if (inside) {
      node = inside;
      continue;
    }
    breakLine(node);
    while (node && !node.next) {
      node = node.parent === top ? null : node.parent;
      if (node) breakLine(node);
    }
    node = node?.next ?? null;
  }
  endLine();
  spend(steps);
  return lines;
};

/** All text in an element as it is in the page, also the text of hidden elements. */
export const contentOf = (top: ParentNode): string => {
  let content = '';
  for (let node = top.firstChild; node; node = firstIn(node) ?? nextAfter(node, top)) {
    spend(1);
    if (!isText(node)) continue;
    spend(node.data.length >> 4);
    content += node.data;
  }
  return content;
};

/** The text of `linesOf` in one line. */
export const textOf = (top: ParentNode, leaveOut?: Test): string => linesOf(top, leaveOut).join(' ');
