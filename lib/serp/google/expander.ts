/** The elements that open and close another part of the page. */
import type { Element, ParentNode } from 'domhandler';
import { findAll, once } from '../dom.ts';

export const expandersIn = once((top: ParentNode): Element[] =>
  findAll(top, ({ attribs }) => attribs['aria-expanded'] !== undefined),
);
