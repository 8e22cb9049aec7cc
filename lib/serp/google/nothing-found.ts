/** Recognizes a page that says "nothing found" in any language. */

import { type AnyNode, type Element, isTag, isText } from 'domhandler';
import { find, findAll, has, hasId, isInside, isNamed, type Test, walk } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import { contentOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { normalized } from '../query.ts';
import { isAround } from './elements.ts';
import { leadsOut, targetIn } from './link.ts';
import { ownWordsOf } from './own-words.ts';

const isClickable = isNamed('a', 'button', 'input');

/** Whether a list is the advice for a better search: two or more items, and nothing to click. */
const isAdvice = (list: Element): boolean =>
  list.children.filter((child) => isTag(child) && contentOf(child).trim() !== '').length >= 2 &&
  !has(list, isClickable);

/** Elements whose text no user sees. */
const isUnseen = isNamed('head', 'script', 'style');

const isEmphasis = isNamed('em', 'b', 'strong', 'i', 'span');

const isLink = isNamed('a');

/**
 * The elements before the list in its parent and in the two boxes around it, without those that are in
 * `seen`. Adds them to `seen`.
 */
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

const isColumn = hasId('rso', 'search', 'center_col', 'rcnt', 'topstuff', 'botstuff');

const isGoogle = (url: string): boolean => /(?:^|\.)google\.[a-z.]{2,8}$/.test(hostOf(url));

/**
 * A link that may be a result. Links to other services of the engine are in the row of tabs and in the
 * footer.
 */
export const isForeignLink: Test = (element) => leadsOut(element) && !isGoogle(targetIn(element)?.url ?? '');

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Letters of scripts with spaces between words, and digits. */
const inWord =
  '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{N}]';

/** Matches the query, but not as a part of a word. */
const phraseOf = (query: string): RegExp =>
  new RegExp(`(?<!${inWord})${RegExp.escape(folded(query))}(?!${inWord})`, 'u');

const isWritten = (node: AnyNode): boolean => isText(node) && /\p{L}/u.test(node.data);

/** The number of texts in a node. */
const countTexts = (node: AnyNode): number =>
  isTag(node)
    ? [node, ...findAll(node, () => true)].reduce(
        (sum, { children }) => sum + children.filter(isWritten).length,
        0,
      )
    : Number(isWritten(node));

const maxBoxes = 8;
const minAdvice = 3;

/** Whether there is advice after a node, in the boxes around it that have nothing to click. */
const hasAdvice = (start: AnyNode): boolean => {
  let count = 0;
  let node = start;
  for (let boxes = 0; boxes < maxBoxes && count < minAdvice; boxes += 1) {
    for (let after = node.next; after && count < minAdvice; after = after.next) count += countTexts(after);
    const box = node.parent;
    if (!box || !isTag(box) || has(box, isClickable)) break;
    node = box;
  }
  return count >= minAdvice;
};

/** The texts of a page that a user reads, without those that can be clicked. */
const plainTexts = (page: Page): string[] => {
  const texts: string[] = [];
  walk(page.root, (element) => {
    if (isUnseen(element) || isClickable(element)) return false;
    texts.push(...element.children.filter(isText).map(({ data }) => data.trim()));
    return true;
  });
  return texts;
};

/** The sentence, and perhaps a second one: further texts with the query are those of results. */
const maxMentions = 2;

/**
 * Whether the texts are those of results, although no link shows it: they contain addresses, or the query
 * again and again.
 */
const areOfResults = (texts: string[], query: string, phrase: RegExp): boolean => {
  const isAddress = (text: string): boolean => {
    const host = shownHost(text);
    return host !== '' && !isGoogle(`https://${host}`) && folded(text) !== folded(query);
  };
  return texts.some(isAddress) || texts.filter((text) => phrase.test(folded(text))).length > maxMentions;
};

/**
 * Pages for browsers without scripts say it in running text, which contains the query and is followed by
 * lines of advice. They have no column, and neither links to results nor texts of results.
 */
const saysSoInText = (page: Page, query: string): boolean => {
  if (has(page.root, isColumn) || has(page.root, isForeignLink)) return false;
  const phrase = phraseOf(query);
  if (areOfResults(plainTexts(page), query, phrase)) return false;
  let isSaid = false;
  walk(page.root, (element) => {
    if (isSaid || isAround(element) || isClickable(element) || isUnseen(element)) return false;
    if (has(element, isClickable)) return true;
    isSaid = element.children.some(
      (child) => isText(child) && phrase.test(folded(child.data)) && hasAdvice(child),
    );
    return !isSaid;
  });
  return isSaid;
};

/**
 * Whether the page itself says that nothing was found. In every language, such a page repeats the query,
 * followed by a list of advice. Canned pages say so too, so also check the page's timestamp (`isFresh`). If
 * the query is unknown, the text of the search box counts.
 */
export const saysNothingFound = (page: Page, query: string): boolean => {
  const results = find(page.root, ({ attribs }) => attribs.id === 'rso');
  if (results?.children.some(isTag)) return false;
  const words = normalized(query || ownWordsOf(page).box);
  // A page that links to further pages has lost its results.
  if (words === '' || ownWordsOf(page).starts.length > 0) return false;
  // Exactly the query, and not in a link. A link would be a suggestion of another search.
  const repeatsQuery: Test = (element) =>
    isEmphasis(element) && normalized(contentOf(element)) === words && !isInside(element, isLink);
  const seen = new Set<AnyNode>();
  if (saysSoInText(page, query || ownWordsOf(page).box)) return true;
  return findAll(page.root, isNamed('ul'))
    .filter(isAdvice)
    .some((list) => elementsBefore(list, seen).some((box) => repeatsQuery(box) || has(box, repeatsQuery)));
};
