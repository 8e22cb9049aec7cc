/** Recognizes a page that says "nothing found" in any language. */
import { type AnyNode, type Element, isTag } from 'domhandler';
import { contentOf, find, findAll, has, isInside, isNamed, type Test } from '../dom.ts';
import type { Page } from '../page.ts';
import { normalized } from './own-search.ts';
import { testimonyOf } from './testimony.ts';

const isClickable = isNamed('a', 'button', 'input');

/** Whether a list is the advice for a better search: two or more items, and nothing to click. */
const isAdvice = (list: Element): boolean =>
  list.children.filter((child) => isTag(child) && contentOf(child).trim() !== '').length >= 2 &&
  !has(list, isClickable);

const isEmphasis = isNamed('em', 'b', 'strong', 'i', 'span');

const isLink = isNamed('a');

/** The elements before the list in its parent and in the two boxes around it, without those that are in `seen`. Adds them to `seen`. */
const elementsBefore = (list: Element, seen: Set<AnyNode>): Element[] => {
  const found: Element[] = [];
  let box: AnyNode | null = list;
  for (let level = 0; level < 3 && box; level += 1, box = box.parent) {
    for (let node = box.prev; node && !seen.has(node); node = node.prev) {
      seen.add(node);
      if (isTag(node)) found.push(node);
    }
  }
  return found;
};

/**
 * Whether the page itself says that nothing was found. In every language, such a page repeats the query, followed by a list of advice.
 * Canned pages say so too, so also check the page's timestamp (`isFresh`).
 * If the query is unknown, the text of the search box counts.
 */
export const saysNothingFound = (page: Page, query: string): boolean => {
  const results = find(page.root, ({ attribs }) => attribs.id === 'rso');
  if (results?.children.some(isTag)) return false;
  const words = normalized(query || testimonyOf(page).box);
  // A page that links to further pages has lost its results.
  if (words === '' || testimonyOf(page).starts.length > 0) return false;
  // Exactly the query, and not in a link. A link would be a suggestion of another search.
  const repeatsQuery: Test = (element) =>
    isEmphasis(element) && normalized(contentOf(element)) === words && !isInside(element, isLink);
  const seen = new Set<AnyNode>();
  return findAll(page.root, isNamed('ul'))
    .filter(isAdvice)
    .some((list) => elementsBefore(list, seen).some((box) => repeatsQuery(box) || has(box, repeatsQuery)));
};
