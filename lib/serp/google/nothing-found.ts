/** Recognizes a page that says "nothing found" in any language. */

import { type AnyNode, type Element, isTag, isText } from 'domhandler';
import type { ParsedPage } from '../../model/parsed-page.ts';
import {
  ancestors,
  find,
  findAll,
  has,
  hasId,
  isInside,
  isNamed,
  nextNode,
  type Test,
  walk,
} from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import { contentOf, isHidden } from '../lines.ts';
import type { Page } from '../page.ts';
import { normalized } from '../query.ts';
import { isAd, isAdLink } from './ad.ts';
import { isResultColumn } from './block-signs.ts';
import {
  isAdColumn,
  isAround,
  isOverview,
  isQuestion,
  isQuestions,
  isRight,
  isWithoutResults,
} from './elements.ts';
import { leadsOut, targetIn } from './link.ts';
import { ownWordsOf } from './own-words.ts';

const isClickable = isNamed('a', 'button', 'input');

/** Whether a list is the advice for a better search: two or more items, and nothing to click. */
const isAdvice = (list: Element): boolean =>
  list.children.filter((child) => isTag(child) && contentOf(child).trim() !== '').length >= 2 &&
  !has(list, isClickable);

/** Elements whose text no user sees. */
const isUnseen = isNamed('head', 'script', 'style', 'noscript', 'template');

const isField = isNamed('textarea', 'select', 'option');

const isEmphasis = isNamed('em', 'b', 'strong', 'i', 'span');

const isLink = isNamed('a');

const isHeading: Test = ({ name, attribs }) => name === 'h3' || attribs.role === 'heading';

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

const isGoogle = (url: string): boolean => /(?:^|\.)google\.[a-z.]{2,8}$/.test(hostOf(url));

/** The bar of services links to the start page and to the search of one on another host. */
const isOwnService = (url: string): boolean =>
  isGoogle(url) || /^https?:\/\/(?:www\.|m\.)?youtube\.com\/(?:results)?(?:[?#]|$)/.test(url);

/** The engine's note of removed results links to the requests to remove them, which Lumen publishes. */
const isRequestLink = (element: Element, url: string): boolean =>
  /^https?:\/\/(?:www\.)?lumendatabase\.org\/notices\//.test(url) && !has(element, isHeading);

/**
 * A link that may be a result. Links to other services of the engine are in the row of tabs and in the
 * footer. A hidden link is at the engine, too, but leads to a result.
 */
export const isForeignLink: Test = (element) => {
  const target = leadsOut(element) ? targetIn(element) : null;
  if (target === null) return false;
  return (
    target.url_resolution === 'opaque' || !(isOwnService(target.url) || isRequestLink(element, target.url))
  );
};

/** Ads and the right side: a page without results may have them, and they contain none. */
const isOther: Test = (element) => isRight(element) || isAdColumn(element) || isAd(element);

const isBeside: Test = (element) => isAround(element) || isOther(element);

/**
 * Whether a link in a column of results leads out of the page and is not paid, or links elsewhere lead to
 * several pages. A single one elsewhere may be of a browser extension, or a note of the engine.
 */
const showsLinks = ({ root }: Page): boolean => {
  const sites = new Set<string>();
  let isInColumn = false;
  walk(root, (element) => {
    if (isInColumn || isBeside(element)) return false;
    if (!isForeignLink(element) || isAdLink(element)) return true;
    isInColumn = isInside(element, isResultColumn);
    sites.add(targetIn(element)?.url ?? '');
    return false;
  });
  return isInColumn || sites.size > 1;
};

/** Parts with a text of their own, which may be a list about the query. */
const isAnswer: Test = (element) =>
  isBeside(element) ||
  isOverview(element) ||
  isQuestions(element) ||
  isQuestion(element) ||
  isWithoutResults(element);

/** Without the signs that allow a line break in a long word. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u00ad\u200b\u2060]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Letters of scripts with spaces between words, and digits. */
const inWord =
  '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{N}]';

/** Matches the query, but not as a part of a word. */
const phraseOf = (query: string): RegExp =>
  new RegExp(`(?<!${inWord})${RegExp.escape(folded(query))}(?!${inWord})`, 'u');

/**
 * A line that a user reads, without those parts of it that can be clicked, and the box it is in. `isBeside`:
 * it is around the results, or in an ad.
 */
type Line = { box: Element; text: string; texts: string[]; isAround: boolean; isBeside: boolean };

const isInline = isNamed('a', 'b', 'button', 'em', 'font', 'i', 'nobr', 'q', 'span', 'strong', 'u', 'wbr');

const isSilent: Test = (element) => isUnseen(element) || isField(element) || isHidden(element);

const isBreak = (node: AnyNode): boolean => isTag(node) && node.name === 'br';

const beginLine = (box: Element, boxes: Element[]): Line => {
  const isLineAround = boxes.some(isAround);
  return { box, text: '', texts: [], isAround: isLineAround, isBeside: isLineAround || boxes.some(isOther) };
};

/**
 * The lines of a text. Pages for browsers without scripts have texts with line breaks, which their styles
 * keep. A space at its begin stays: it is between the parts of a line.
 */
const writtenLines = (text: string): string[] => {
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '');
  return others.length === 0 ? [text] : [text.trimStart() === text ? first : ` ${first}`, ...others];
};

/**
 * The lines of a page in page order. A block, a line break, and one between the words of a text end a line.
 */
const linesIn = ({ root }: Page): Line[] => {
  const lines: Line[] = [];
  let isOpen = false;
  for (let node: AnyNode | null = root.firstChild; node; node = nextNode(node, root)) {
    if (isBreak(node)) isOpen = false;
    if (!isText(node) || !node.parent || !isTag(node.parent)) continue;
    const last = lines.at(-1);
    if (node.data.trim() === '') {
      if (isOpen && last) last.text += ' ';
      continue;
    }
    const boxes = [node.parent, ...ancestors(node.parent)];
    const box = boxes.find((element) => !isInline(element));
    if (!box || boxes.some(isSilent)) continue;
    const [first = '', ...others] = boxes.some(isClickable) ? [''] : writtenLines(node.data);
    const line = isOpen && last?.box === box ? last : beginLine(box, boxes);
    if (line !== last) lines.push(line);
    isOpen = true;
    line.text += first;
    if (first !== '') line.texts.push(first.trim());
    for (const text of others) lines.push({ ...beginLine(box, boxes), text, texts: [text.trim()] });
  }
  return lines.filter(({ text }) => text.trim() !== '');
};

/** A link to the engine's help. */
const isHelp: Test = (element) =>
  leadsOut(element) && /^https?:\/\/support\.google\.com\//.test(targetIn(element)?.url ?? '');

const isOtherClickable: Test = (element) =>
  (isClickable(element) && !isHelp(element)) || element.attribs.role === 'button';

const minAdvice = 3;

/**
 * Whether a line is the sentence: it begins the smallest box with so many further lines of advice, and the
 * box has nothing to click but help. Above it is at most one line, such as a caption.
 */
const isFollowedByAdvice = (lines: Line[], at: number): boolean => {
  const [first, last] = [lines[at], lines[at + minAdvice]];
  if (!first || !last) return false;
  const around = new Set([last.box, ...ancestors(last.box)]);
  const common = [first.box, ...ancestors(first.box)].find((box) => around.has(box));
  if (!common || common.name === 'body' || common.name === 'html' || has(common, isOtherClickable))
    return false;
  const isInCommon = ({ box }: Line): boolean => box === common || isInside(box, (up) => up === common);
  return lines.findIndex(isInCommon) >= at - 1;
};

/** The sentence, and perhaps a second one: further texts with the query are those of results. */
const maxMentions = 2;

/**
 * Whether the lines are those of results, although no link shows it: they contain addresses, or the query
 * again and again.
 */
const areOfResults = (lines: Line[], query: string, phrase: RegExp): boolean => {
  const isAddress = (text: string): boolean => {
    const host = shownHost(text);
    return host !== '' && !isGoogle(`https://${host}`) && folded(text) !== folded(query);
  };
  return (
    lines.some(({ texts }) => texts.some(isAddress)) ||
    lines.filter(({ text }) => phrase.test(folded(text))).length > maxMentions
  );
};

const isResults = hasId('rso');

/** What only scripts use: their controllers, the elements that they define, the parts that they load. */
const isScripted: Test = ({ name, attribs }) =>
  attribs.jscontroller !== undefined || name.startsWith('g-') || attribs['data-async-context'] !== undefined;

/** Pages for browsers without scripts have no column of results; until 2019 they have others. */
const isForScripts = ({ root }: Page): boolean =>
  has(root, isResults) || (has(root, isResultColumn) && has(root, isScripted));

/**
 * Pages for browsers without scripts say it in running text, which contains the query and is followed by
 * lines of advice.
 */
const saysSoInText = (lines: Line[], phrase: RegExp): boolean => {
  const shown = lines.filter((line) => !line.isAround);
  return shown.some(({ text }, at) => phrase.test(folded(text)) && isFollowedByAdvice(shown, at));
};

/** Whether the page shows something that may be a result, or a block that may contain some. */
const mayShowResults = (page: Page, { unread_blocks }: ParsedPage, query: string): boolean => {
  if (unread_blocks.some(({ looks_like }) => looks_like !== 'ads') || showsLinks(page)) return true;
  const lines = linesIn(page).filter((line) => !line.isBeside);
  return areOfResults(lines, query, phraseOf(query));
};

/**
 * Whether the page itself says that nothing was found, and shows nothing that may be a result. In every
 * language, such a page repeats the query, followed by a list of advice. Canned pages say so too, so also
 * check the page's timestamp (`isFresh`). If the query is unknown, the text of the search box counts.
 */
export const saysNothingFound = (page: Page, parsed: ParsedPage, query: string): boolean => {
  const results = find(page.root, ({ attribs }) => attribs.id === 'rso');
  if (results?.children.some(isTag)) return false;
  const asked = query || ownWordsOf(page).box;
  const words = normalized(asked);
  // A page that links to further pages has lost its results.
  if (words === '' || ownWordsOf(page).starts.length > 0) return false;
  // Exactly the query, and not in a link. A link would be a suggestion of another search.
  const repeatsQuery: Test = (element) =>
    isEmphasis(element) && normalized(contentOf(element)) === words && !isInside(element, isLink);
  const seen = new Set<AnyNode>();
  if (!isForScripts(page)) {
    const [lines, phrase] = [linesIn(page), phraseOf(asked)];
    // Without scripts, all links and texts of results are on the page.
    if (has(page.root, isForeignLink) || areOfResults(lines, asked, phrase)) return false;
    if (saysSoInText(lines, phrase)) return true;
  }
  const saysSo = findAll(page.root, isNamed('ul'))
    .filter((list) => isAdvice(list) && !isAnswer(list) && !isInside(list, isAnswer))
    .some((list) => elementsBefore(list, seen).some((box) => repeatsQuery(box) || has(box, repeatsQuery)));
  return saysSo && !mayShowResults(page, parsed, asked);
};
