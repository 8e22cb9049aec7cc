/** Recognizes a page of AI Mode: a conversation with the engine, which has no list of results. */
import { isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { elementsOf, once, withDataIn } from '../page-cache.ts';
import { isInert, isMobileTitleLink, isTitleLink, isTurn } from './elements.ts';

/** Whether a page has an answer of AI Mode with a text, and no result beside it. */
export const isAiMode = once(
  ({ root }: Page): boolean =>
    withDataIn(root).some(
      (element) => isTurn(element) && textOf(element) !== '' && !isInside(element, isInert),
    ) && !elementsOf(root).some((link) => isTitleLink(link) || isMobileTitleLink(link)),
);
