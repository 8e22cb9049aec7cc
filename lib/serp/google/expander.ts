/** The elements that open and close another part of the page. */

import type { Element, ParentNode } from 'domhandler';
import { mark, mayHave } from '../marks.ts';
import { elementsOf, once } from '../page-cache.ts';

export const expandersIn = once((top: ParentNode): Element[] =>
  elementsOf(top).filter(
    (element) => mayHave(element, mark.aria) && element.attribs['aria-expanded'] !== undefined,
  ),
);
