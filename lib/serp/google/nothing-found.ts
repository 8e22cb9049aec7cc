/** Recognizes a page that says "nothing found" in any language. */
import { type AnyNode, type Element, isTag } from 'domhandler';
import { existsOne, findOne, getElementsByTagName, textContent } from 'domutils';
import type { Page } from '../page.ts';
import { normalized } from './own-search.ts';
import { testimonyOf } from './testimony.ts';

const clickable = new Set(['a', 'button', 'input']);

/** Whether a list is the advice for a better search: two or more items, and nothing to click. */
const isAdvice = (list: Element): boolean =>
  list.children.filter((child) => isTag(child) && textContent(child).trim() !== '').length >= 2 &&
  !existsOne(({ name }) => clickable.has(name), list.children);

const emphasis = new Set(['em', 'b', 'strong', 'i', 'span']);

const isInLink = (node: Element): boolean => {
  for (let up = node.parent; up; up = up.parent) if (isTag(up) && up.name === 'a') return true;
  return false;
};

/** The nodes before the list in its parent and in the two boxes around it. */
const nodesBefore = (list: Element): AnyNode[] => {
  const nodes: AnyNode[] = [];
  let box: AnyNode | null = list;
  for (let level = 0; level < 3 && box; level += 1, box = box.parent) {
    for (let node = box.prev; node; node = node.prev) nodes.push(node);
  }
  return nodes;
};

/** Whether an inline element contains exactly the query, and is not in a link. A link would be a suggestion of another search. */
const repeatsQuery = (nodes: AnyNode[], query: string): boolean =>
  existsOne(
    (element) =>
      emphasis.has(element.name) && normalized(textContent(element)) === query && !isInLink(element),
    nodes,
  );

/**
 * Whether the page itself says that nothing was found. In every language, such a page repeats the query, followed by a list of advice.
 * Canned pages say so too, so also check the page's timestamp (`isFresh`).
 * If the query is unknown, the text of the search box counts.
 */
export const saysNothingFound = (page: Page, query: string): boolean => {
  const results = findOne(({ attribs }) => attribs.id === 'rso', page.root.children);
  if (results?.children.some(isTag)) return false;
  const words = normalized(query || testimonyOf(page).box);
  // A page that links to further pages has lost its results.
  if (words === '' || testimonyOf(page).starts.length > 0) return false;
  return getElementsByTagName('ul', page.root.children).some(
    (list) => isAdvice(list) && repeatsQuery(nodesBefore(list), words),
  );
};
