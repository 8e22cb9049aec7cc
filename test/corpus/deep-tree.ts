/** Pages in trees so deep that a recursive reader overflows the stack. */
import { type Document, DomHandler, Element, type ParentNode } from 'domhandler';
import { Parser } from 'htmlparser2';
import type { Page } from '../../lib/serp/page.ts';

const depth = 15_000;

/** Puts the content of a node into 15,000 elements, one in another. A parser takes far longer for them. */
export const bury = (node: ParentNode, name: string): void => {
  for (let n = 0; n < depth; n++) {
    const { children } = node;
    const element = new Element(name, {}, children);
    for (const child of children) child.parent = element;
    element.parent = node;
    node.children = [element];
  }
};

/** The page with a tree that `parseHtml` would refuse: that of another parser, which `deepen` changes. */
export const openDeepPage = (html: string, deepen = (root: Document): void => bury(root, 'div')): Page => {
  const handler = new DomHandler();
  new Parser(handler).end(html);
  deepen(handler.root);
  return { html, root: handler.root, unclosed: new Map() };
};
