/** Answers: the generated overview, the featured snippet, questions, answer boxes, corrected spellings. */

import type { Element } from 'domhandler';
import { find, has, hasClass, isInside, type Test, walk } from '../dom.ts';
import { linesOf, textIn, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import {
  firstOfPage,
  isAround,
  isCite,
  isFolded,
  isOtherItem,
  isRight,
  leadsTo,
  partsOf,
  targetsIn,
  titleOf,
} from './elements.ts';
import { leadsOut, ownPathOf, searchParameters, targetOfLink } from './link.ts';

/** A question of the block: on cards since 2024, in a list that opens before. */
const isQuestionClass = hasClass('df_alsoAsk', 'df_alsoAskCard');

const isButton: Test = ({ attribs }) => attribs.role === 'button' && attribs['aria-expanded'] !== undefined;

/** Suggestions for the next question have the attribute too, but no source. */
const isQuestion: Test = (element) =>
  isQuestionClass(element) ||
  (Boolean(element.attribs['data-query']?.trim()) && (has(element, leadsOut) || isInside(element, leadsOut)));

/**
 * Questions that open an answer: two or more buttons with a text. Without the classes and attributes, the
 * block is found by them.
 */
const buttonsIn = (item: Element): Element[] =>
  partsOf(item).all.filter((element) => isButton(element) && textOf(element) !== '');

const questionText = (part: Element): string =>
  textIn(part, hasClass('df_qntext', 'df_qntextwithicn')) ||
  part.attribs['data-query']?.trim() ||
  textIn(part, isButton) ||
  (linesOf(part)[0] ?? '');

const questionsIn = (item: Element): Element[] => {
  const found: Element[] = [];
  walk(item, (element) => {
    const isFound = isQuestion(element);
    if (isFound) found.push(element);
    return !isFound;
  });
  return found;
};

export const isQuestions: Test = (element) => isOtherItem(element) && partsOf(element).all.some(isQuestion);

/**
 * Title, URL and breadcrumb of the page that an answer comes from. A card is itself in the link to its
 * source.
 */
const sourceOf = (part: Element): Draft => {
  const link = find(part, leadsOut);
  let around: Element | undefined;
  isInside(part, (up) => {
    if (around === undefined && leadsOut(up)) around = up;
    return up.name === 'li';
  });
  const source = link ?? around;
  const target = source && targetOfLink(source);
  return { ...target, breadcrumb: textIn(part, isCite) };
};

const isAnswerText = hasClass('df_alsocon', 'rwrl');

export const readQuestions = (item: Element): Draft[] => {
  const found = new Map<string, Draft>();
  for (const part of questionsIn(item)) {
    const title = questionText(part);
    if (title === '' || found.has(title)) continue;
    const snippet = textIn(part, hasClass('rwrl')) || textIn(part, isAnswerText);
    found.set(title, { title, ...sourceOf(part), snippet: snippet === title ? '' : snippet });
  }
  return [...found.values()];
};

/** An open question has its text in a button, its answer below. */
export const isOpeningList: Test = (element) =>
  isOtherItem(element) &&
  !isInside(element, isRight) &&
  buttonsIn(element).length >= 4 &&
  targetsIn(element).length >= 2;

export const readOpeningList = (item: Element): Draft[] =>
  [...new Set(buttonsIn(item).map((button) => textOf(button)))].map((title) => ({ title }));

/** The title of an answer's source follows its text. */
const minAnswerLength = 40;

/** An answer with one source: a text, then the title and the address of the page. */
export const isFeaturedSnippet: Test = (element) =>
  isOtherItem(element) &&
  !isInside(element, isRight) &&
  hasSourceAfterText(element) &&
  !leadsTo(/^\/(?:maps|local|videos|images|news|shop)/)(element);

const hasSourceAfterText = (item: Element): boolean => {
  const sources = targetsIn(item);
  if (sources.length === 0 || sources.length > 2 || !partsOf(item).all.some(isCite)) return false;
  const title = titleOf(item);
  const isSource: Test = (element) => element === title?.heading || element === sources[0];
  return widthOf(answerText(item, isSource)) >= minAnswerLength;
};

const answerText = (item: Element, isSource: Test): string =>
  linesOf(item, (element) => isSource(element) || isCite(element) || isFolded(element) || isButton(element))
    .filter((line) => widthOf(line) > 20)
    .join(' ');

export const readFeaturedSnippet = (item: Element): Draft[] => {
  const heading = titleOf(item);
  const link = heading?.link ?? targetsIn(item).find((source) => textOf(source) !== '');
  const target = link && targetOfLink(link);
  if (!link || !target) return [];
  const isSource: Test = (element) => element === heading?.heading || element === link;
  return [
    {
      title: textOf(heading?.heading ?? link),
      ...target,
      breadcrumb: textIn(item, isCite),
      snippet: answerText(item, isSource),
    },
  ];
};

const isTopClass = hasClass('b_top');

const isBigText = hasClass(
  'b_focusTextLarge',
  'b_focusTextMedium',
  'b_focusLabel',
  'dc_mn',
  'wtr_core',
  'rcCalB',
  'b_dictResult',
);

/**
 * Calculator, dictionary, weather, time and conversion boxes: the engine's own text in large letters, at the
 * top of the column.
 */
export const isAnswerBox: Test = (element) =>
  isOtherItem(element) &&
  !isInside(element, isRight) &&
  (partsOf(element).all.some(isBigText) || (isTopClass(element) && targetsIn(element).length === 0));

export const readAnswerBox = (item: Element): Draft[] => {
  const lines = linesOf(
    item,
    (element) => isFolded(element) || ['select', 'button', 'option'].includes(element.name),
  );
  const title = lines[0] ?? '';
  return title === '' ? [] : [{ title, snippet: lines.slice(1).join(' ') }];
};

/** A link that keeps the words of the query as they were written. */
const isRecourse = (link: Element): boolean => /rcrse/.test(searchParameters(link)?.get('filters') ?? '');

const searchesIn = (item: Element): Element[] =>
  partsOf(item).links.filter((link) => searchParameters(link)?.get('q') != null);

/**
 * A sentence with a link to the search with another spelling: one that the engine used, or one that it
 * offers. The sentence about the original words has a filter in its link, and so do all searches for
 * entities.
 */
export const isSpelling: Test = (element) => {
  if (!isOtherItem(element) || isInside(element, isRight) || isAround(element)) return false;
  const links = partsOf(element).all.filter(({ attribs }) => attribs.href !== undefined);
  const searches = searchesIn(element);
  return (
    links.length > 0 &&
    links.length <= 3 &&
    links.every((link) => ownPathOf(link) !== '') &&
    searches.some(
      (link) =>
        !isRecourse(link) && !searchParameters(link)?.has('filters') && !searchParameters(link)?.has('first'),
    ) &&
    textOf(element).length > textOf(searches[0] ?? element).length
  );
};

const firstSpelling = firstOfPage(isSpelling);

/** The page repeats the notice below the results. */
export const readSpelling = (item: Element, page: Page): Draft[] => {
  if (firstSpelling(page) !== item) return [];
  const link = searchesIn(item).find((search) => !isRecourse(search));
  const title = link ? textOf(link) : '';
  return title === '' ? [] : [{ title }];
};
