/** Reads a tree of elements and its visible text. The walks do not recurse, because a broken page may have any depth. */
import { type AnyNode, type Element, isTag, isText, type ParentNode } from 'domhandler';

export type Test = (element: Element) => boolean;

const withoutText = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);

/** Visits the elements under `top` in page order, without `top` itself. If `visit` returns false, the walk skips the element's children. */
export const walk = (top: ParentNode, visit: (element: Element) => boolean): void => {
  let node: AnyNode | null = top.firstChild;
  while (node) {
    const inside: AnyNode | null = isTag(node) && visit(node) ? node.firstChild : null;
    if (inside) {
      node = inside;
      continue;
    }
    while (node && !node.next) node = node.parent === top ? null : node.parent;
    node = node?.next ?? null;
  }
};

export const findAll = (top: ParentNode, test: Test): Element[] => {
  const found: Element[] = [];
  walk(top, (element) => {
    if (test(element)) found.push(element);
    return true;
  });
  return found;
};

export const find = (top: ParentNode, test: Test): Element | undefined => {
  let found: Element | undefined;
  walk(top, (element) => {
    if (!found && test(element)) found = element;
    return !found;
  });
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
  return found;
};

export const isInside = (element: Element, test: Test): boolean => {
  let left = maxAncestors;
  for (let up = parentOf(element); up && left > 0; up = parentOf(up), left -= 1) if (test(up)) return true;
  return false;
};

export const hasClass =
  (...names: string[]): Test =>
  ({ attribs }) => {
    const classes = attribs.class;
    if (classes === undefined) return false;
    return names.some((name) => classes.includes(name) && ` ${classes} `.includes(` ${name} `));
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

const tidy = (text: string): string =>
  text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Caches the result for each element. This is safe because trees never change. */
export const once = <T>(compute: (element: Element) => T): ((element: Element) => T) => {
  const cache = new WeakMap<Element, { value: T }>();
  return (element) => {
    const known = cache.get(element);
    if (known) return known.value;
    const value = compute(element);
    cache.set(element, { value });
    return value;
  };
};

/** The text in an element, one line per block with text. Skips scripts, hidden elements and the elements that `leaveOut` matches. */
export const linesOf = (top: ParentNode, leaveOut: Test = () => false): string[] => {
  const parts: string[] = [];
  const breakLine = (node: AnyNode | ParentNode): void => {
    if (isTag(node) && blocks.has(node.name)) parts.push('\n');
  };
  let node: AnyNode | null = isTag(top) && withoutText.has(top.name) ? null : top.firstChild;
  while (node) {
    breakLine(node);
    let inside: AnyNode | null = null;
    if (isText(node)) parts.push(node.data.replace(/\s+/g, ' '));
    else if (isTag(node) && node.name === 'br') parts.push(' ');
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
  return parts.join('').split('\n').map(tidy).filter(Boolean);
};

/** The text of `linesOf` in one line. */
export const textOf = (top: ParentNode, leaveOut?: Test): string => linesOf(top, leaveOut).join(' ');
