/** Writes the tree of a page as HTML in other forms that browsers read in the same way. */
import { type AnyNode, type Document, type Element, isComment, isTag, isText } from 'domhandler';
import type { Test } from '../../lib/serp/dom.ts';

/** How to write a page. What is absent is written as most engines do. */
export type Form = {
  /** Whether to leave out the end tag of an element. */
  leavesOutEnd?: (element: Element) => boolean;
  /** Whether to end an element before its last child ends. */
  endsEarly?: (element: Element) => boolean;
  /** What to add after an element. */
  after?: (element: Element) => string;
  /** An attribute as text. */
  attribute?: (name: string, value: string) => string;
  /** The order of the attributes. */
  order?: (attributes: [string, string][]) => [string, string][];
  /** The name in a tag. */
  name?: (name: string) => string;
  /** What is between the name of a tag and its attributes, and before its end. */
  space?: string;
};

const voidNames = new Set(
  'area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '),
);

const isVoid: Test = ({ name }) => voidNames.has(name);

const rawNames = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes']);

const isRaw: Test = ({ name }) => rawNames.has(name);

const special = /[&<>\u00a0]/;

/** Most texts have no sign to escape. */
const escaped = (text: string): string =>
  special.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('\u00a0', '&nbsp;')
    : text;

export const quoted = (name: string, value: string): string =>
  /[&"]/.test(value)
    ? `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
    : `${name}="${value}"`;

export const writtenIn = (form: Form): ((root: Document) => string) => {
  const { name = (word) => word, attribute = quoted, order, space = ' ' } = form;
  let html = '';
  const writeStart = (element: Element): void => {
    html += `<${name(element.name)}`;
    const attributes = Object.entries(element.attribs);
    for (const [key, value] of order ? order(attributes) : attributes) html += space + attribute(key, value);
    html += space === ' ' ? '>' : `${space}>`;
  };
  const endsEarly = (element: Element): Element | undefined => {
    const last = form.endsEarly?.(element) ? element.children.at(-1) : undefined;
    return last && isTag(last) ? last : undefined;
  };
  /** Writes an element without its end tag. */
  const begin = (element: Element): void => {
    writeStart(element);
    const last = endsEarly(element);
    for (const child of element.children) if (child !== last) write(child);
    if (last) begin(last);
  };
  const end = (element: Element): void => {
    if (!isVoid(element) && !form.leavesOutEnd?.(element)) html += `</${name(element.name)}>`;
    const last = endsEarly(element);
    if (last) end(last);
  };
  const write = (node: AnyNode): void => {
    if (isText(node)) {
      const isAsItIs = node.parent && isTag(node.parent) && isRaw(node.parent);
      html += isAsItIs ? node.data : escaped(node.data);
    } else if (isComment(node)) html += `<!--${node.data}-->`;
    else if (isTag(node)) {
      begin(node);
      end(node);
      html += form.after?.(node) ?? '';
    } else if (node.type === 'directive') html += `<${node.data}>`;
  };
  return ({ children }) => {
    html = '';
    children.forEach(write);
    return html;
  };
};
