/**
 * Blocks of related searches on list pages. The page repeats terms above, between, below and beside the
 * results.
 */
import type { Element } from 'domhandler';
import type { Test } from '../dom.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';

/** How an engine shows related searches. */
type Terms = {
  itemsOf: (page: Page) => Element[];
  /** Whether an item is a block of related searches. */
  isRelated: Test;
  termsIn: (item: Element) => string[];
  /** Whether an item is in the right column. */
  isRight: Test;
};

/** Reads a block as one item with the terms that no earlier block has; the main column comes first. */
export const relatedSearchesBy = ({ itemsOf, isRelated, termsIn, isRight }: Terms) => {
  const newTerms = once((page: Page): Map<Element, string[]> => {
    const blocks = itemsOf(page).filter(isRelated);
    const seen = new Set<string>();
    const found = new Map<Element, string[]>();
    for (const block of blocks.sort((one, other) => Number(isRight(one)) - Number(isRight(other)))) {
      const terms = termsIn(block).filter((term) => !seen.has(term));
      for (const term of terms) seen.add(term);
      found.set(block, terms);
    }
    return found;
  });
  return (block: Element, page: Page): Draft[] => {
    const items = newTerms(page).get(block) ?? [];
    return items.length === 0 ? [] : [{ items }];
  };
};
