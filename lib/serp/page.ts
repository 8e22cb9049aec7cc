/** A fetched page. Its HTML is parsed once, for the verdict and the readers. */

import { Document, type Element } from 'domhandler';
import type { ParsedPage } from '../model/parsed-page.ts';
import { mark, mayHave } from './marks.ts';
import { beginPage } from './page-cache.ts';
import { buildTree } from './tree.ts';

/**
 * Scripts and styles in the tree have only the first character of their text. Their whole text is in `html`.
 * `begun`: how many elements of each name begin. A reader may give elements of the tree other names.
 */
export type Page = { html: string; root: Document; begun: ReadonlyMap<string, number> };

/** The content of a page whose reading did not end. */
export const unreadPage: ParsedPage = {
  left: [],
  right: [],
  total_results: '',
  search_time: null,
  query: '',
  has_next: false,
  unread_blocks: [],
  unread: true,
};

/**
 * Attributes that say nothing if they are empty: an empty id names no element, and an empty role is no role.
 */
const namingAttributes = [
  'id',
  'role',
  'aria-controls',
  'aria-expanded',
  'aria-label',
  'aria-labelledby',
  'aria-level',
];

const removeEmptyNames = (elements: Element[]): void => {
  for (const element of elements) {
    if (!mayHave(element, mark.empty)) continue;
    const { attribs } = element;
    for (const name of namingAttributes) if (attribs[name] === '') delete attribs[name];
  }
};

/**
 * Parses any text. Truncated or malformed HTML gives the tree of its readable part. A page with more elements
 * or levels than any result page gives an empty tree, which no verdict accepts as results.
 */
export const parseHtml = (html: string): Page => {
  const tree = buildTree(html);
  const { root, elements } = tree.isWhole ? tree : { root: new Document([]), elements: [] };
  removeEmptyNames(elements);
  const begun = new Map<string, number>();
  for (const { name } of elements) begun.set(name, (begun.get(name) ?? 0) + 1);
  beginPage(root, elements);
  return { html, root, begun };
};
