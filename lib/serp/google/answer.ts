/**
 * Answers above or between the results: featured snippets, questions, the generated overview, answer boxes,
 * corrected spellings.
 */

import { type Element, isTag, type ParentNode } from 'domhandler';
import type { AnswerKind } from '../../model/result.ts';
import { find, findAll, has, hasClass, isInside, isNamed, type Test } from '../dom.ts';
import { isHidden, linesOf, textIn, textOf } from '../lines.ts';
import { addMark, isMarked, mark, mayHave } from '../marks.ts';
import type { Page } from '../page.ts';
import { namedIn, once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { isColumn, isH3, isHeading, isMobileTitleLink, isOpened, isQuestions } from './elements.ts';
import { leadsOut } from './link.ts';
import { resolve } from './plain-address.ts';
import { isCalculated, isEqualsKey } from './tool-box.ts';

const isCite = isNamed('cite');

const isButton: Test = ({ attribs }) => attribs.role === 'button';

/** The text of an answer: `wa:/description` and similar attributes. */
const isAnswerText: Test = (element) =>
  mayHave(element, mark.data) && element.attribs['data-attrid']?.startsWith('wa:') === true;

/**
 * The link to an answer's source: on desktop the link contains the title, on mobile the title contains the
 * link.
 */
const isSourceLink: Test = (element) => leadsOut(element) && (has(element, isH3) || isInside(element, isH3));

/**
 * The links to the sources of an answer. Below a text that is marked as one, a link may be the same as that
 * of a result on mobile.
 */
const sourcesIn = (block: Element): Element[] => {
  const links = findAll(block, isSourceLink);
  return links.length > 0 || !has(block, isAnswerText) ? links : findAll(block, isMobileTitleLink);
};

/** Title, URL and breadcrumb of the page that an answer comes from. */
export const sourceOf = (block: Element, page: Page): Draft | null => {
  const [link] = sourcesIn(block);
  if (!link) return null;
  const title = textIn(link, isH3) || textIn(link, isHeading) || textOf(link);
  if (title === '') return null;
  const breadcrumb = textIn(block, isCite);
  return { title, breadcrumb, ...resolve(link, block, page, { title, breadcrumb }) };
};

export const answerText = (block: Element): string => {
  const marked = textIn(block, isAnswerText);
  if (marked) return marked;
  const isOtherPart: Test = (element) =>
    isCite(element) || isH3(element) || element.name === 'h2' || isButton(element) || leadsOut(element);
  return textOf(block, isOtherPart);
};

const isOpen = hasClass('xpdopen');

const onlyChild = ({ children }: Element): Element | undefined => {
  const [only] = children;
  return children.length === 1 && only && isTag(only) ? only : undefined;
};

/** Marks the elements with a caption: a child, or alone in a child. Call it before the page is read. */
export const findCaptioned = (page: ParentNode): void => {
  for (const caption of namedIn(page, 'h2')) {
    const box = caption.parent;
    if (!box || !isTag(box)) continue;
    addMark(box, mark.captioned);
    if (onlyChild(box) && box.parent && isTag(box.parent)) addMark(box.parent, mark.captioned);
  }
};

const isFrame: Test = (element) => element.name === 'block-component' || isMarked(element, mark.captioned);

const isCaption = isNamed('h2');

/** An answer begins with its text, a result with its title. */
const beginsWithText = (element: Element, link: Element): boolean => {
  const first = linesOf(element, isCaption)[0] ?? '';
  return has(element, isAnswerText) || linesOf(link)[0] !== first;
};

/** Whether a box can be an answer with this source, apart from how many sources it has. */
export const isAnswerFrom = (element: Element, source: Element): boolean =>
  (isOpen(element) || isFrame(element)) && !has(element, isColumn) && beginsWithText(element, source);

/**
 * A box with an answer and its only source. It begins with a caption for screen readers, as groups of results
 * do.
 */
const isAnswerWithSource = (element: Element): boolean => {
  if (!isFrame(element) || has(element, isColumn)) return false;
  const [link, ...others] = sourcesIn(element);
  return link !== undefined && others.length === 0 && beginsWithText(element, link);
};

/**
 * An open box with many sources is a list of results, not an answer. Two are allowed, since the picture may
 * have its own source.
 */
const isOfOneSource: Test = (element) => {
  const addresses = new Set(sourcesIn(element).map(({ attribs }) => attribs.href));
  return addresses.size === 1 || addresses.size === 2;
};

/** Such boxes had the class from 2020 to 2025. A box without it is recognised by its structure. */
export const isFeaturedSnippet: Test = (element) =>
  (isOpen(element) ? isOfOneSource(element) : isAnswerWithSource(element)) && !has(element, isQuestions);

export const readFeaturedSnippet = (block: Element, page: Page): Draft[] => {
  const source = sourceOf(block, page);
  return source ? [{ ...source, snippet: answerText(block) }] : [];
};

/**
 * The question is in `data-q`: since 2023 on the pair itself, before that on an element in it. Otherwise it
 * is the text of the button.
 */
export const readQuestion = (block: Element, page: Page): Draft[] => {
  const holder = block.attribs['data-q'] ? block : find(block, ({ attribs }) => Boolean(attribs['data-q']));
  const title = holder?.attribs['data-q']?.trim() || textIn(block, isButton) || (linesOf(block)[0] ?? '');
  if (!title) return [];
  const source = sourceOf(block, page);
  const snippet = source || has(block, isAnswerText) ? answerText(block) : '';
  return [{ ...source, title, snippet: snippet === title ? '' : snippet }];
};

/** An entry of the dictionary: with sounds and meanings, or in the box that loads them for another word. */
const isDictionary = hasClass('lr_dct_ent', 'lr_container');

/** The parts by which a calculator is read. */
const isPartOfCalculator: Test = (element) => isEqualsKey(element) || isCalculated(element);

/** Boxes whose scripts find them by their id. */
const knownBoxes = new Map<string, AnswerKind>([
  ['cwmcwd', 'calculator'],
  ['wob_wc', 'weather'],
  ['tw-container', 'translation'],
  ['knowledge-currency__updatable-data-column', 'currency'],
  ['knowledge-currency__currency-v2-updatable', 'currency'],
  ['knowledge-finance-wholepage__entity-summary', 'finance'],
]);

const answerKindOf = (element: Element): AnswerKind | undefined => {
  const known = mayHave(element, mark.id) ? knownBoxes.get(element.attribs.id ?? '') : undefined;
  if (known && (known !== 'calculator' || !has(element, isPartOfCalculator))) return known;
  return isDictionary(element) ? 'dictionary' : undefined;
};

/**
 * Weather, translation, conversion, finance and dictionary boxes, recognised by ids and attributes that their
 * scripts need. An answer in a part that opens when the user clicks its heading belongs to the heading.
 */
export const isAnswerBox: Test = (element) =>
  answerKindOf(element) !== undefined ||
  (isAnswerText(element) && !isHidden(element) && !isInside(element, isOpened));

const allDigits = 10;

/**
 * A column of digits that a script rolls up to the shown one. The number itself is beside it, for screen
 * readers.
 */
const isRollingDigits: Test = ({ attribs, children }) =>
  attribs['aria-hidden'] === 'true' &&
  children.length >= allDigits &&
  children.every((child) => isTag(child) && /^\p{Nd}$/u.test(textOf(child)));

const rolls = once((box: Element): boolean =>
  box.children.some((child) => isTag(child) && isRollingDigits(child)),
);

/** The columns and the signs between them. */
const isRolling: Test = ({ attribs, parent }) =>
  attribs['aria-hidden'] === 'true' && parent !== null && isTag(parent) && rolls(parent);

/** A button of a chart, for one period of time. */
const isPeriod: Test = ({ attribs }) => attribs['data-period'] !== undefined;

/** The chart with its scale, and the row of buttons above it. */
const isChart: Test = (element) =>
  element.attribs['data-attrid'] === 'Chart' ||
  isPeriod(element) ||
  (element.attribs.role === 'group' && has(element, isPeriod));

const minPeriods = 3;

/** The price of a share and its change, which the names of the periods follow. */
const isPrice: Test = ({ attribs }) => attribs['data-attrid'] === 'Price';

/** The parts of a price or a change: with a sign, decimals, a currency, or nothing but digits. */
const isAmount = (text: string): boolean =>
  /[+−-]\s?\p{Nd}|\p{Nd}[.,٫]\p{Nd}|[\p{Sc}%]|^[\p{Nd}\s]+$/u.test(text);

const hasAmounts = once((box: Element): boolean =>
  box.children.some((child) => isTag(child) && isAmount(textOf(child))),
);

/** The names of the periods are beside each other. A script shows the chosen one, at first the first. */
const isOtherPeriod = (element: Element, periods: number): boolean => {
  const { parent, prev } = element;
  if (periods < minPeriods || !parent || !isTag(parent) || parent.children.length !== periods) return false;
  return prev !== null && isTag(prev) && isInside(element, isPrice) && !hasAmounts(parent);
};

const isNoText: Test = (element) =>
  element.name === 'select' || element.name === 'button' || isRolling(element) || isChart(element);

export const readAnswerBox = (block: Element): Draft[] => {
  const periods = findAll(block, isPeriod).length;
  const lines = linesOf(block, (element) => isNoText(element) || isOtherPeriod(element, periods));
  const title = lines[0] ?? '';
  const answer_kind = answerKindOf(block);
  return title === ''
    ? []
    : [{ title, snippet: lines.slice(1).join(' '), ...(answer_kind && { answer_kind }) }];
};

/** In every language, a link to the same search with another spelling has `spell=1`. */
export const isSpelling: Test = ({ name, attribs }) =>
  name === 'a' && /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?.*[?&]spell=1\b/.test(attribs.href ?? '');

export const readSpelling = (link: Element): Draft[] => {
  const title = textOf(link);
  return title === '' ? [] : [{ title }];
};
