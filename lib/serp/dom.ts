/** Finds elements in a tree. The walks do not recurse, because a broken page may have any depth. */
import { type AnyNode, type Element, isTag, type ParentNode } from 'domhandler';
import { mark, mayHave } from './marks.ts';
import { endIn, latestElements, startIn } from './page-order.ts';
import { spend } from './steps.ts';

export type Test = (element: Element) => boolean;

/** The next node in page order after everything in `node`; null at the end of `top`. */
export const nextAfter = (node: AnyNode, top: ParentNode): AnyNode | null => {
  let at: AnyNode = node;
  while (!at.next) {
    if (!at.parent || at.parent === top) return null;
    at = at.parent;
  }
  return at.next;
};

/** The first child of an element that has any. */
export const firstIn = (node: AnyNode): AnyNode | null => (isTag(node) ? (node.children[0] ?? null) : null);

/** The next node in page order; null at the end of `top`. */
export const nextNode = (node: AnyNode, top: ParentNode): AnyNode | null =>
  firstIn(node) ?? nextAfter(node, top);

/**
 * Visits the elements under `top` in page order, without `top` itself. If `visit` returns false, the walk
 * skips the element's children.
 */
export const walk = (top: ParentNode, visit: (element: Element) => boolean): void => {
  const start = startIn(top);
  if (start < 0) {
    walkTree(top, visit);
    return;
  }
  const elements = latestElements();
  const end = endIn(top);
  for (let at = start; at < end; ) {
    spend(1);
    const element = elements[at] as Element;
    at = visit(element) ? at + 1 : (element.end ?? end);
  }
};

/** `walk` over a tree that is not the latest page. */
const walkTree = (top: ParentNode, visit: (element: Element) => boolean): void => {
  let node: AnyNode | null = top.firstChild;
  while (node) {
    spend(1);
    node = (isTag(node) && visit(node) && firstIn(node)) || nextAfter(node, top);
  }
};

export const findAll = (top: ParentNode, test: Test): Element[] => {
  const found: Element[] = [];
  const start = startIn(top);
  if (start < 0) {
    walkTree(top, (element) => {
      if (test(element)) found.push(element);
      return true;
    });
    return found;
  }
  const elements = latestElements();
  const end = endIn(top);
  for (let at = start; at < end; at++) {
    const element = elements[at] as Element;
    if (test(element)) found.push(element);
  }
  spend(end - start);
  return found;
};

const findInTree = (top: ParentNode, test: Test): Element | undefined => {
  let steps = 0;
  let found: Element | undefined;
  for (let node = top.firstChild; node && !found; node = nextNode(node, top)) {
    steps += 1;
    if (isTag(node) && test(node)) found = node;
  }
  spend(steps);
  return found;
};

export const find = (top: ParentNode, test: Test): Element | undefined => {
  const start = startIn(top);
  if (start < 0) return findInTree(top, test);
  const elements = latestElements();
  const end = endIn(top);
  let at = start;
  while (at < end && !test(elements[at] as Element)) at++;
  spend(at - start);
  return at < end ? elements[at] : undefined;
};

export const has = (top: ParentNode, test: Test): boolean => find(top, test) !== undefined;

const parentOf = (element: Element): Element | undefined =>
  element.parent && isTag(element.parent) ? element.parent : undefined;

/**
 * Real pages are about 60 elements deep. Without this limit, the cost of a broken page would be the square of
 * its depth.
 */
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
  (element) => {
    const classes = mayHave(element, mark.class) ? element.attribs.class : undefined;
    if (classes === undefined) return false;
    for (const name of names) {
      if (classes.includes(name) && ` ${classes} `.includes(` ${name} `)) return true;
    }
    return false;
  };

export const hasId = (...ids: string[]): Test => {
  const wanted = new Set(ids);
  return (element) => {
    const id = mayHave(element, mark.id) ? element.attribs.id : undefined;
    return id !== undefined && wanted.has(id);
  };
};

export const isLink: Test = ({ name, attribs }) => name === 'a' && attribs.href !== undefined;

export const isNamed =
  (...names: string[]): Test =>
  ({ name }) =>
    names.includes(name);

/** Each mark in `box`, with the largest part of `box` that contains no other mark. */
export const partsAround = (box: Element, marks: Element[]): [mark: Element, part: Element][] => {
  const counts = new Map<Element, number>();
  const inBox = (mark: Element): Element[] => {
    const up = ancestors(mark);
    return [mark, ...up.slice(0, Math.max(0, up.indexOf(box)))];
  };
  for (const mark of marks) for (const part of inBox(mark)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return marks.map((mark) => [mark, inBox(mark).findLast((part) => counts.get(part) === 1) ?? mark]);
};
