/** Recognizes a page that says "nothing found" in any language, and reads when the page was generated. */
import { type AnyNode, type Element, isTag } from 'domhandler';
import { existsOne, findOne, getElementsByTagName, textContent } from 'domutils';
import type { Page } from '../page.ts';

/** Reduces a text to letters and digits, because quotes, operators and spacing do not matter. A text without any stays as it is. */
const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '') || text.trim();

/** The text in the page's search box. */
const searchBoxText = (page: Page): string => {
  const box = findOne(
    ({ name, attribs }) => attribs.name === 'q' && (name === 'input' || name === 'textarea'),
    page.root.children,
  );
  return box?.name === 'textarea' ? textContent(box) : (box?.attribs.value ?? '');
};

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
const repeatsQuery = (nodes: AnyNode[], queries: Set<string>): boolean =>
  existsOne(
    (element) =>
      emphasis.has(element.name) && queries.has(normalized(textContent(element))) && !isInLink(element),
    nodes,
  );

/**
 * Whether the page itself says that nothing was found. In every language, such a page repeats the query, followed by a list of advice.
 * Canned pages say so too, so also check the page's timestamp (`stampOf`).
 */
export const saysNothingFound = (page: Page, query: string): boolean => {
  const results = findOne(({ attribs }) => attribs.id === 'rso', page.root.children);
  if (results?.children.some(isTag)) return false;
  const queries = new Set([query, searchBoxText(page)].map(normalized).filter(Boolean));
  return getElementsByTagName('ul', page.root.children).some(
    (list) => isAdvice(list) && repeatsQuery(nodesBefore(list), queries),
  );
};

/**
 * The time at which the engine generated the page (Unix seconds): the first four bytes of its event id, base64url, little-endian
 * (Reading 7). The id is in a script; the search form contains it too, as a fallback. Null if there is none.
 */
export const stampOf = (page: Page): number | null => {
  const inScript = /\bkEI["']?\s*[:=]\s*["']([\w-]+)/.exec(page.html)?.[1];
  const inForm = findOne(
    ({ name, attribs }) => name === 'input' && attribs.name === 'ei',
    page.root.children,
  );
  const bytes = Buffer.from(inScript ?? inForm?.attribs.value ?? '', 'base64url');
  return bytes.length < 4 ? null : bytes.readUInt32LE(0);
};
