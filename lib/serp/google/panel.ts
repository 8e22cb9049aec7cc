/**
 * The knowledge panel. Its parts may be anywhere on the page. Their data attributes show that they belong to
 * it.
 */

import type { Document, Element } from 'domhandler';
import { ancestors, find, findAll, has, isInside, type Test } from '../dom.ts';
import { isHidden, linesOf, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { isCardList, isH3, isHeading, isOverview, isQuestions, isRight } from './elements.ts';
import { leadsOut, targetOf } from './link.ts';
import { queryOf } from './page-facts.ts';

const isAttribute =
  (pattern: RegExp): Test =>
  ({ attribs }) => {
    const attribute = attribs['data-attrid'];
    return attribute !== undefined && pattern.test(attribute);
  };

const isTitle = isAttribute(/^title$/);
const isSubtitle = isAttribute(/^subtitle$/);
const isDescription = isAttribute(/^description$|:description$/);
const isFact = isAttribute(/^(?:kc|ss|hw|lab\/fact)[:/]/);
const isProfiles = isAttribute(/social media presence|profile/i);

const isSearchLink: Test = ({ name, attribs }) => name === 'a' && /[/?]search\?/.test(attribs.href ?? '');

const isData: Test = (element) => element.attribs['data-attrid'] !== undefined && !isTitle(element);

const containsData = once((box: Element): boolean => has(box, isData));
const countSearchLinks = once((box: Element): number => findAll(box, isSearchLink).length);

/**
 * If a title has only links to other searches below it, it belongs to a box that offers other meanings of the
 * query.
 */
const hasData = (title: Element): boolean => {
  const inTitle = countSearchLinks(title);
  const box = ancestors(title).find((up) => containsData(up) || countSearchLinks(up) > inTitle);
  return box !== undefined && containsData(box);
};

/** Links to searches, questions and overviews may contain the title of another panel. */
const isOtherBlock: Test = (element) => isSearchLink(element) || isQuestions(element) || isOverview(element);

export const isPanelTitle: Test = (element) =>
  isTitle(element) && !isInside(element, isOtherBlock) && textOf(element) !== '' && hasData(element);

/** A colon separates the label and the value. */
const factIn = (line: string): { label: string; value: string } | null => {
  const [, label, value] = /^([^:：]{2,40})[:：]\s*(\S.*)$/.exec(line) ?? [];
  return label && value && value.length <= 300 ? { label: label.trim(), value } : null;
};

const factOf = (element: Element) => factIn(textOf(element));

const factsOf = (scope: Element): { label: string; value: string }[] => {
  const facts = findAll(
    scope,
    (element) => isFact(element) && !isInside(element, isFact) && !has(element, isCardList),
  ).map(factOf);
  return [...new Map(facts.filter((fact) => fact !== null).map((fact) => [fact.label, fact])).values()];
};

const profilesOf = (scope: Element): { title: string; url: string }[] =>
  findAll(scope, isProfiles).flatMap((box) =>
    findAll(box, leadsOut).map((link) => ({
      title: textOf(link),
      url: targetOf(link.attribs.href)?.url ?? '',
    })),
  );

/** The right side if the panel is there, else the whole page. */
const scopeOf = (title: Element): Element => {
  const around = ancestors(title);
  return around.find(isRight) ?? around.at(-1) ?? title;
};

const isMarked: Test = ({ attribs }) => attribs['data-attrid'] !== undefined;

const factLines = (scope: Element): { label: string; value: string }[] =>
  linesOf(scope).flatMap((line) => factIn(line) ?? []);

const minFacts = 2;

/** The right side, if its data has lost its marks and it has rows with a label and a value. */
const isUnmarkedPanel = once(
  (side: Element): boolean => !has(side, isMarked) && factLines(side).length >= minFacts,
);

/** A heading of the right side that may be the title of a panel without marks. */
export const isUnmarkedTitle: Test = (element) =>
  (isHeading(element) ? (element.attribs['aria-level'] ?? '2') <= '2' : element.name === 'h2') &&
  isInside(element, (up) => isRight(up) && isUnmarkedPanel(up)) &&
  linesOf(element).length === 1;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The first heading of the right side that shares a word with the query. The other headings are captions. */
export const readUnmarkedPanel = (element: Element, page: Page): Draft[] => {
  const side = ancestors(element).find(isRight);
  const words = new Set(wordsOf(queryOf(page)));
  const isTitleOfQuery: Test = (other) =>
    isUnmarkedTitle(other) && wordsOf(textOf(other)).some((word) => words.has(word));
  if (!side || find(side, isTitleOfQuery) !== element) return [];
  return [{ title: textOf(element), facts: factLines(side) }];
};

const isCaption: Test = (element) =>
  isH3(element) || element.name === 'h2' || element.name === 'a' || isHidden(element);

export const firstPanelTitle = once((root: Document): Element | undefined => find(root, isPanelTitle));

/** A page has one panel. The first title counts. */
export const readPanel = (element: Element, page: Page): Draft[] => {
  if (firstPanelTitle(page.root) !== element) return [];
  const title = textOf(element);
  const scope = scopeOf(element);
  const subtitle = find(scope, isSubtitle);
  const description = find(scope, isDescription);
  const link = description && find(description, leadsOut);
  const target = link && targetOf(link.attribs.href);
  const facts = factsOf(scope);
  const profiles = profilesOf(scope);
  return [
    {
      title,
      snippet: description ? textOf(description, isCaption) : '',
      ...target,
      ...(subtitle && { subtitle: textOf(subtitle) }),
      ...(facts.length > 0 && { facts }),
      ...(profiles.length > 0 && { profiles }),
    },
  ];
};
