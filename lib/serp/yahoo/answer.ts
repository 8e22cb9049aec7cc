/** Answers: questions, the featured snippet, answer boxes, corrected spellings. */

import type { Element } from 'domhandler';
import { findAll, has, isInside, isLink, partsAround, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { isSameQuery } from '../query.ts';
import { widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import {
  addressOf,
  firstOfPage,
  hasLink,
  headingsIn,
  isAddress,
  isItem,
  isLinked,
  isOtherLeft,
  isResultList,
  linksIn,
  targetsIn,
  titleFrom,
} from './elements.ts';
import { isAdLink, leadsOut, leadsToAnyService, ownPageOf, searchParameters, targetOfLink } from './link.ts';
import { isPageLink, queryOf } from './page-facts.ts';

const isSourceTitle: Test = (heading) => isLinked(heading) && textOf(heading) !== '';

/** Each question has an index. */
const isMarked: Test = ({ attribs }) => attribs.qidx !== undefined;

/** Whether a part has a link that searches for its first line, as a question has for more results. */
const searchesForItself: Test = (part) => {
  const [first = ''] = linesOf(part);
  return has(part, (element) => isSameQuery(searchParameters(element)?.get('p') ?? '', first));
};

/** The parts of a block of questions: marked, or one around the title of each source. */
const questionsIn = once((item: Element): Element[] => {
  const marked = findAll(item, isMarked);
  if (marked.length > 0) return marked;
  const titles = headingsIn(item).filter(isSourceTitle);
  return titles.length < 2
    ? []
    : partsAround(item, titles)
        .map(([, part]) => part)
        .filter(searchesForItself);
});

/** Questions, each with an answer, the title of a source, and a link to more results. */
export const hasQuestions: Test = (item) => questionsIn(item).length > 0;

const readQuestion = (part: Element): Draft[] => {
  const heading = headingsIn(part).find(isSourceTitle);
  const source = heading && titleFrom(part, heading);
  const isOther: Test = (element) =>
    element === heading ||
    isAddress(element) ||
    (isLink(element) && (ownPageOf(element) !== undefined || element === source?.link));
  const [question = '', ...answer] = linesOf(part, isOther);
  if (question === '') return [];
  return [
    {
      title: question,
      ...source?.target,
      breadcrumb: source ? source.address : '',
      snippet: answer.join(' '),
    },
  ];
};

/** The parts that begin with the same question count once. */
export const readQuestions = (item: Element): Draft[] => {
  const found = new Map<string, Draft>();
  for (const question of questionsIn(item).flatMap(readQuestion)) {
    const { title = '' } = question;
    if (!found.has(title)) found.set(title, question);
  }
  return [...found.values()];
};

/** The title of an answer's source follows a text that is at least so long. */
const minAnswerLength = 40;

const answerOf = (item: Element): { text: string; link: Element } | undefined => {
  const [link, ...others] = targetsIn(item);
  if (!link || others.length > 1 || isAdLink(link) || addressOf(item) === '') return undefined;
  let isBefore = true;
  const lines = linesOf(item, (element) => {
    if (element === link) isBefore = false;
    return !isBefore || isAddress(element);
  });
  const text = lines.join(' ');
  return widthOf(text) >= minAnswerLength ? { text, link } : undefined;
};

/** An answer from a page: a text, then the title and the address of the page. */
export const isFeaturedSnippet: Test = (item) => isInResultList(item) && answerOf(item) !== undefined;

export const readFeaturedSnippet = (item: Element): Draft[] => {
  const answer = answerOf(item);
  const target = answer && targetOfLink(answer.link);
  if (!answer || !target) return [];
  return [{ title: textOf(answer.link), ...target, breadcrumb: addressOf(item), snippet: answer.text }];
};

const isInResultList = (item: Element): boolean =>
  isInside(item, (up) => up.name === 'ol' && isResultList(up));

/** An answer has at least so many characters, and a line below its caption. */
const minBoxLength = 20;
const minBoxLines = 2;

/**
 * A box with an answer of the engine itself, such as a dictionary: a text in the list of results, with one
 * source or none. Blocks of the engine's other searches are no answers.
 */
export const isAnswerBox: Test = (item) =>
  isInResultList(item) &&
  targetsIn(item).length <= 1 &&
  !hasLink(item, isAdLink) &&
  !hasLink(item, leadsToAnyService) &&
  linksIn(item).filter((link) => searchParameters(link) !== undefined).length <= 1 &&
  linesOf(item, isLink).length >= minBoxLines &&
  widthOf(textOf(item, isLink)) >= minBoxLength;

export const readAnswerBox = (item: Element): Draft[] => {
  const [title = '', ...rest] = linesOf(item, isLink);
  const [source] = targetsIn(item);
  const target = source && targetOfLink(source);
  return title === '' ? [] : [{ title, ...target, snippet: rest.join(' ') }];
};

/** Links to searches for other words that are part of a sentence, not of a list or a table. */
const sentenceLinks = (item: Element): Element[] =>
  linksIn(item).filter(
    (link) =>
      searchParameters(link) !== undefined &&
      textOf(link) !== '' &&
      !isInside(link, (up) => up.name === 'td' || (up.name === 'li' && !isItem(up))),
  );

const maxLinks = 3;

/** A notice is a sentence of at most so many characters. */
const maxNotice = 400;

/** The links whose text is the text that they search for. */
const spellingIn = (item: Element): Element | undefined =>
  sentenceLinks(item).find((link) => isSameQuery(searchParameters(link)?.get('p') ?? '', textOf(link)));

/**
 * A sentence with a link to the search with another spelling: one that the engine used, or one that it
 * offers. A second link leads to the results for the original words.
 */
export const isSpelling: Test = (element) => {
  if (!isOtherLeft(element) || hasLink(element, leadsOut)) return false;
  const links = linksIn(element);
  return (
    links.length > 0 &&
    links.length <= maxLinks &&
    links.every((link) => searchParameters(link) !== undefined && !isPageLink(link)) &&
    spellingIn(element) !== undefined &&
    textOf(element).length > textOf(spellingIn(element) ?? element).length &&
    textOf(element).length <= maxNotice
  );
};

const firstSpelling = firstOfPage(isSpelling);

/** The term that is not the query itself. The page may repeat the notice below the results. */
export const readSpelling = (item: Element, page: Page): Draft[] => {
  if (firstSpelling(page) !== item) return [];
  const query = queryOf(page);
  const terms = sentenceLinks(item).filter((link) =>
    isSameQuery(searchParameters(link)?.get('p') ?? '', textOf(link)),
  );
  const term = terms.find((link) => !isSameQuery(textOf(link), query));
  return term ? [{ title: textOf(term) }] : [];
};
