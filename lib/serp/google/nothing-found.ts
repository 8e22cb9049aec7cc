/** The page that says "nothing found": how it says so in any language, and when it was made. */
import { type AnyNode, type Element, isTag } from 'domhandler';
import { existsOne, findOne, getElementsByTagName, textContent } from 'domutils';
import type { Page } from '../page.ts';

/** Letters and digits only: quotes, operators and spacing of an echo do not matter. The text itself where it has none of them. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '') || text.trim();

/** The words in the page's own search box. */
const searchBox = (page: Page): string => {
  const box = findOne(
    ({ name, attribs }) => attribs.name === 'q' && (name === 'input' || name === 'textarea'),
    page.root.children,
  );
  return box?.name === 'textarea' ? textContent(box) : (box?.attribs.value ?? '');
};

const clickable = new Set(['a', 'button', 'input']);

/** Advice on searching otherwise: a plain list of two sentences or more, with nothing to click. */
const isAdvice = (list: Element): boolean =>
  list.children.filter((child) => isTag(child) && textContent(child).trim() !== '').length >= 2 &&
  !existsOne(({ name }) => clickable.has(name), list.children);

const emphasis = new Set(['em', 'b', 'strong', 'i', 'span']);

const isInLink = (node: Element): boolean => {
  for (let up = node.parent; up; up = up.parent) if (isTag(up) && up.name === 'a') return true;
  return false;
};

/** What stands before the list in its own box and the two boxes around that. */
const before = (list: Element): AnyNode[] => {
  const nodes: AnyNode[] = [];
  let box: AnyNode | null = list;
  for (let level = 0; level < 3 && box; level += 1, box = box.parent) {
    for (let node = box.prev; node; node = node.prev) nodes.push(node);
  }
  return nodes;
};

/** Whether a query stands alone in an inline element, and not as a link: a link would be another search offered. */
const echoes = (nodes: AnyNode[], queries: Set<string>): boolean =>
  existsOne(
    (element) => emphasis.has(element.name) && queries.has(bare(textContent(element))) && !isInLink(element),
    nodes,
  );

/**
 * Whether the page itself says that there is nothing: in every language it repeats the query and gives a list of advice below.
 * Whether it may be believed is another question (`stampOf`).
 */
export const saysNothingFound = (page: Page, query: string): boolean => {
  const results = findOne(({ attribs }) => attribs.id === 'rso', page.root.children);
  if (results?.children.some(isTag)) return false;
  const queries = new Set([query, searchBox(page)].map(bare).filter(Boolean));
  return getElementsByTagName('ul', page.root.children).some(
    (list) => isAdvice(list) && echoes(before(list), queries),
  );
};

/**
 * When the engine made the page, Unix seconds: the first four bytes of its event id, base64url, little endian (Reading 7). The id stands in a script
 * and, as a second witness, in the search form. Null where there is none.
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
