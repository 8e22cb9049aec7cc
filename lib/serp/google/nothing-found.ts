/** Recognizes a page that says "nothing found" in any language, and reads when the page was generated. */
import { type AnyNode, type Element, isTag } from 'domhandler';
import { contentOf, find, findAll, has, isInside, isNamed, type Test } from '../dom.ts';
import type { Page } from '../page.ts';

/** Reduces a text to letters and digits, because quotes, operators and spacing do not matter. A text without any stays as it is. */
const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '') || text.trim();

/** The text in the page's search box. */
const searchBoxText = (page: Page): string => {
  const box = find(
    page.root,
    ({ name, attribs }) => attribs.name === 'q' && (name === 'input' || name === 'textarea'),
  );
  return box?.name === 'textarea' ? contentOf(box) : (box?.attribs.value ?? '');
};

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
 * Canned pages say so too, so also check the page's timestamp (`stampOf`).
 */
export const saysNothingFound = (page: Page, query: string): boolean => {
  const results = find(page.root, ({ attribs }) => attribs.id === 'rso');
  if (results?.children.some(isTag)) return false;
  const queries = new Set([query, searchBoxText(page)].map(normalized).filter(Boolean));
  // Exactly the query, and not in a link. A link would be a suggestion of another search.
  const repeatsQuery: Test = (element) =>
    isEmphasis(element) && queries.has(normalized(contentOf(element))) && !isInside(element, isLink);
  const seen = new Set<AnyNode>();
  return findAll(page.root, isNamed('ul'))
    .filter(isAdvice)
    .some((list) => elementsBefore(list, seen).some((box) => repeatsQuery(box) || has(box, repeatsQuery)));
};

/**
 * The time at which the engine generated the page (Unix seconds): the first four bytes of its event id, base64url, little-endian
 * (Reading 7). The id is in a script; the search form contains it too, as a fallback. Null if there is none.
 */
export const stampOf = (page: Page): number | null => {
  const inScript = /\bkEI["']?\s*[:=]\s*["']([\w-]+)/.exec(page.html)?.[1];
  const inForm = find(page.root, ({ name, attribs }) => name === 'input' && attribs.name === 'ei');
  const bytes = Buffer.from(inScript ?? inForm?.attribs.value ?? '', 'base64url');
  return bytes.length < 4 ? null : bytes.readUInt32LE(0);
};
