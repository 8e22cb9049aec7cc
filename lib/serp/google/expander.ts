/** The elements that open and close another part of the page. */

import type { Element, ParentNode } from 'domhandler';
import { elementsOf, once } from '../page-cache.ts';

export const expandersIn = once((top: ParentNode): Element[] =>
  elementsOf(top).filter(({ attribs }) => attribs['aria-expanded'] !== undefined),
);
