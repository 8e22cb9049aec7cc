/** A fetched page. Its HTML is parsed once, for the verdict and the readers. */

import { Document, type Element } from 'domhandler';
import type { ParsedPage } from '../model/parsed-page.ts';
import { mark, mayHave } from './marks.ts';
import { beginPage } from './page-cache.ts';
import { buildTree } from './tree.ts';

/**
 * Scripts and styles in the tree have only the first character of their text. Their whole text is in `html`.
 * `unclosed`: by name, how many more elements begin than end by a tag of their own; negative if more end.
 */
export type Page = { html: string; root: Document; unclosed: ReadonlyMap<string, number> };

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

const noElements = { elements: [], marked: [] };

/**
 * Parses any text. Truncated or malformed HTML gives the tree of its readable part. The structure of the tree
 * must not change: use `buildTree` for a tree that does. A page with more elements
 * or levels than any result page gives an empty tree, which no verdict accepts as results.
 */
export const parseHtml = (html: string): Page => {
  const tree = buildTree(html);
  const { root, elements, marked } = tree.isWhole ? tree : { ...noElements, root: new Document([]) };
  removeEmptyNames(marked);
  beginPage(root, elements, marked);
  return { html, root, unclosed: tree.unclosed };
};
