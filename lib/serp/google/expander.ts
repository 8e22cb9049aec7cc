/** The elements that open and close another part of the page. */

import type { Element, ParentNode } from 'domhandler';
import { mark, mayHave } from '../marks.ts';
import { markedIn, once } from '../page-cache.ts';

export const expandersIn = once((top: ParentNode): Element[] =>
  markedIn(top).filter(
    (element) => mayHave(element, mark.aria) && element.attribs['aria-expanded'] !== undefined,
  ),
);
