/** Writes the tree of a page as HTML in other forms that browsers read in the same way. */
import {
  type AnyNode,
  type Document,
  type Element,
  isComment,
  isTag,
  isText,
  type ParentNode,
} from 'domhandler';
import { isNamed } from '../../lib/serp/dom.ts';

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

const isVoid = isNamed(
  ...'area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '),
);

const isRaw = isNamed('script', 'style', 'xmp', 'iframe', 'noembed', 'noframes');

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');

export const quoted = (name: string, value: string): string =>
  `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;

const startTag = (element: Element, form: Form): string => {
  const { name = (word) => word, attribute = quoted, order = (list) => list, space = ' ' } = form;
  const attributes = order(Object.entries(element.attribs)).map((pair) => space + attribute(...pair));
  return `<${name(element.name)}${attributes.join('')}${space === ' ' ? '' : space}>`;
};

export const writtenIn = (form: Form): ((root: Document) => string) => {
  const { name = (word) => word } = form;
  const endTag = (element: Element): string =>
    isVoid(element) || form.leavesOutEnd?.(element) ? '' : `</${name(element.name)}>`;
  const inside = ({ children }: ParentNode): string => children.map(written).join('');
  /** An element without its end tag. */
  const begun = (element: Element): string => {
    const { children } = element;
    const last = children.at(-1);
    if (!form.endsEarly?.(element) || !last || !isTag(last)) return startTag(element, form) + inside(element);
    return `${startTag(element, form)}${children.slice(0, -1).map(written).join('')}${begun(last)}`;
  };
  const ended = (element: Element): string => {
    const last = element.children.at(-1);
    const isEarly = form.endsEarly?.(element) && last && isTag(last);
    return endTag(element) + (isEarly ? ended(last) : '');
  };
  const written = (node: AnyNode): string => {
    if (isText(node))
      return node.parent && isTag(node.parent) && isRaw(node.parent) ? node.data : escaped(node.data);
    if (isComment(node)) return `<!--${node.data}-->`;
    if (isTag(node)) return begun(node) + ended(node) + (form.after?.(node) ?? '');
    return node.type === 'directive' ? `<${node.data}>` : '';
  };
  return inside;
};
