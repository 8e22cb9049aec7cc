/** Reading a tree of elements: walks without recursion, since a broken page may nest without end, and text as a reader sees it. */
import { type AnyNode, type Element, isTag, isText, type ParentNode } from 'domhandler';

export type Test = (element: Element) => boolean;

const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);

/** Visits the elements under `top` in page order, `top` left out; what `visit` answers `false` to is not entered. */
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

/** Real pages nest some sixty boxes deep; looking further up would cost a broken one the square of its depth. */
const furthest = 256;

/** The ancestors from the inside out, the element itself left out; as far up as real pages go. */
export const ancestors = (element: Element): Element[] => {
  const found: Element[] = [];
  for (let up = parentOf(element); up && found.length < furthest; up = parentOf(up)) found.push(up);
  return found;
};

export const isInside = (element: Element, test: Test): boolean => {
  let left = furthest;
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

/** Not shown as the page stands. Whole blocks may be hidden until scripts run, so this says something about lines, nothing about results. */
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

/** Computed once for each element; trees never change. */
export const once = <T>(compute: (element: Element) => T): ((element: Element) => T) => {
  const known = new WeakMap<Element, { value: T }>();
  return (element) => {
    const found = known.get(element) ?? { value: compute(element) };
    known.set(element, found);
    return found.value;
  };
};

/** The text under an element, a line for each box that has some. Without what `leaveOut` names, scripts and hidden parts. */
export const linesOf = (top: ParentNode, leaveOut: Test = () => false): string[] => {
  const parts: string[] = [];
  const edge = (node: AnyNode | ParentNode): void => {
    if (isTag(node) && blocks.has(node.name)) parts.push('\n');
  };
  let node: AnyNode | null = isTag(top) && silent.has(top.name) ? null : top.firstChild;
  while (node) {
    edge(node);
    let inside: AnyNode | null = null;
    if (isText(node)) parts.push(node.data.replace(/\s+/g, ' '));
    else if (isTag(node) && node.name === 'br') parts.push(' ');
    else if (isTag(node) && !silent.has(node.name) && !isHidden(node) && !leaveOut(node))
      inside = node.firstChild;
    if (inside) {
      node = inside;
      continue;
    }
    edge(node);
    while (node && !node.next) {
      node = node.parent === top ? null : node.parent;
      if (node) edge(node);
    }
    node = node?.next ?? null;
  }
  return parts.join('').split('\n').map(tidy).filter(Boolean);
};

/** The same in one line. */
export const textOf = (top: ParentNode, leaveOut?: Test): string => linesOf(top, leaveOut).join(' ');
