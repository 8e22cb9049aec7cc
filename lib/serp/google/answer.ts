/** Answers that stand above or among the results: featured snippets, questions, the generated overview, answer boxes. */
import { type Element, isTag } from 'domhandler';
import {
  find,
  findAll,
  has,
  hasClass,
  isHidden,
  isInside,
  isNamed,
  linesOf,
  type Test,
  textOf,
} from '../dom.ts';
import type { Page } from '../page.ts';
import type { Draft } from '../walker.ts';
import { hasId, isColumn, isH3, isHeading, isQuestions, textIn } from './elements.ts';
import { leadsOut, targetOf } from './link.ts';
import { resolve } from './plain-address.ts';

const isCite = isNamed('cite');

const isButton: Test = ({ attribs }) => attribs.role === 'button';

/** The words of an answer: `wa:/description` and its like. */
const isAnswerText: Test = ({ attribs }) => attribs['data-attrid']?.startsWith('wa:') === true;

/** The link to an answer's page: the title in the link on desktop, the link in the title on mobile. */
const isSourceLink: Test = (element) => leadsOut(element) && (has(element, isH3) || isInside(element, isH3));

const sourceLink = (block: Element): Element | undefined => find(block, isSourceLink);

/** Title, address and breadcrumb of the page that an answer was taken from. */
const sourceOf = (block: Element, page: Page): Draft | null => {
  const link = sourceLink(block);
  if (!link) return null;
  const title = textIn(link, isH3) || textOf(link);
  if (title === '') return null;
  const breadcrumb = textIn(block, isCite);
  return { title, breadcrumb, ...resolve(link, block, page, { title, breadcrumb }) };
};

const answerText = (block: Element): string => {
  const marked = textIn(block, isAnswerText);
  if (marked) return marked;
  const isElsewhere: Test = (element) =>
    isCite(element) || isH3(element) || element.name === 'h2' || isButton(element) || leadsOut(element);
  return textOf(block, isElsewhere);
};

const isOpened = hasClass('xpdopen');

const opensWithCaption: Test = ({ children }) =>
  children.some((child) => isTag(child) && child.name === 'h2');

const isFrame: Test = (element) => element.name === 'block-component' || opensWithCaption(element);

const isCaption = isNamed('h2');

/** In an answer its words come first, in a result its title does. */
const answersFirst = (element: Element, link: Element): boolean => {
  const first = linesOf(element, isCaption)[0] ?? '';
  return has(element, isAnswerText) || linesOf(link)[0] !== first;
};

/** A box with an answer and the one page it comes from; it opens with a caption for screen readers, as groups of results do. */
const isAnswerWithSource = (element: Element): boolean => {
  if (!isFrame(element) || has(element, isColumn)) return false;
  const [link, ...more] = findAll(element, isSourceLink);
  return link !== undefined && more.length === 0 && answersFirst(element, link);
};

/** An opened box around many sources is a list of results, not an answer. A picture may come from a page of its own. */
const isOfOneSource: Test = (element) => {
  const addresses = new Set(findAll(element, isSourceLink).map(({ attribs }) => attribs.href));
  return addresses.size === 1 || addresses.size === 2;
};

/** The class has marked such boxes from 2020 to 2025; without it they are known by how they are built. */
export const isFeaturedSnippet: Test = (element) =>
  (isOpened(element) ? isOfOneSource(element) : isAnswerWithSource(element)) && !has(element, isQuestions);

export const readFeaturedSnippet = (block: Element, page: Page): Draft[] => {
  const source = sourceOf(block, page);
  return source ? [{ ...source, snippet: answerText(block) }] : [];
};

/** The question stands in an attribute, since 2023 of the pair itself, before of a box in it; else it is the text of the button. */
export const readQuestion = (block: Element, page: Page): Draft[] => {
  const holder = block.attribs['data-q'] ? block : find(block, ({ attribs }) => Boolean(attribs['data-q']));
  const title = holder?.attribs['data-q']?.trim() || textIn(block, isButton) || (linesOf(block)[0] ?? '');
  if (!title) return [];
  const source = sourceOf(block, page);
  const snippet = source || has(block, isAnswerText) ? answerText(block) : '';
  return [{ ...source, title, snippet: snippet === title ? '' : snippet }];
};

/** The generated text carries its language; the messages beside it, shown when there is none, do not. */
const isOverviewBody: Test = ({ attribs }) => attribs['data-rl'] !== undefined;

/** The messages that stand in place of a text are shorter than its longest paragraph. */
const leastParagraph = 120;

const overviewText = (block: Element): string => {
  const isElsewhere: Test = (element) =>
    (isHeading(element) && element.attribs['aria-level'] === '2' && !isInside(element, isOverviewBody)) ||
    element.name === 'h1' ||
    isNamed('button')(element);
  const body = find(block, isOverviewBody);
  if (body) return textOf(body, isElsewhere);
  const lines = linesOf(block, isElsewhere);
  return lines.some((line) => line.length >= leastParagraph) ? lines.join(' ') : '';
};

const sourcesOf = (block: Element): { title: string; url: string }[] => {
  const found = new Map<string, string>();
  for (const link of findAll(block, leadsOut)) {
    const url = targetOf(link.attribs.href)?.url ?? '';
    const title = textIn(link, isHeading) || linesOf(link)[0] || (link.attribs['aria-label'] ?? '');
    if (!found.get(url)) found.set(url, title);
  }
  return [...found].map(([url, title]) => ({ title, url }));
};

/** Without a body: `deferred` where the page shows that one is being made, nothing where the box is an empty shell. */
export const readOverview = (block: Element): Draft[] => {
  const snippet = overviewText(block);
  const title = textIn(block, (element) => element.name === 'h1' || isHeading(element));
  if (snippet === '') return title === '' ? [] : [{ title, state: 'deferred' }];
  const sources = sourcesOf(block);
  return [{ title, snippet, state: 'present', ...(sources.length > 0 && { sources }) }];
};

const isKnownBox = hasId(
  'cwmcwd',
  'wob_wc',
  'tw-container',
  'knowledge-currency__updatable-data-column',
  'knowledge-finance-wholepage__entity-summary',
);

const isDictionary = hasClass('lr_dct_ent', 'lr_container');

/** Calculator, weather, translation, conversion, finance and dictionary boxes, by the ids and attributes that their scripts need. */
export const isAnswerBox: Test = (element) =>
  isKnownBox(element) || isDictionary(element) || (isAnswerText(element) && !isHidden(element));

export const readAnswerBox = (block: Element): Draft[] => {
  const lines = linesOf(block, (element) => element.name === 'select' || element.name === 'button');
  const title = lines[0] ?? '';
  return title === '' ? [] : [{ title, snippet: lines.slice(1).join(' ') }];
};

/** A link to the same search with other spelling carries `spell=1`, in every language. */
export const isSpelling: Test = ({ name, attribs }) =>
  name === 'a' && /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?.*[?&]spell=1\b/.test(attribs.href ?? '');

export const readSpelling = (link: Element): Draft[] => {
  const title = textOf(link);
  return title === '' ? [] : [{ title }];
};
