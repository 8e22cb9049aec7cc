/** The items of list pages: list items of the columns, and what is around the columns. */
import type { Element } from 'domhandler';
import { has, isInside, isNamed, type Test } from '../dom.ts';
import type { Page } from '../page.ts';
import { elementsOf, once } from '../page-cache.ts';

/**
 * Matches the items of the page's lists: list items (`li` in `ol`) that are neither in another list item nor
 * in an element of `outer`. Each block of the page is such an item.
 */
export const isItemOutside = (...outer: string[]): Test => {
  const isOuter = isNamed('li', ...outer);
  const isItemOfList = once((element: Element): boolean => {
    let list = '';
    const isPart = isInside(element, (up) => {
      if (list === '' && (up.name === 'ol' || up.name === 'ul')) list = up.name;
      return isOuter(up);
    });
    return !isPart && list === 'ol';
  });
  return (element) => element.name === 'li' && isItemOfList(element);
};

type Items = {
  /** The items of a page, in page order. */
  itemsOf: (page: Page) => Element[];
  /** The first item of a page that a test matches. The page is searched once for each test. */
  firstOfPage: (test: Test) => (page: Page) => Element | undefined;
};

export const itemsBy = (isItem: Test): Items => {
  const itemsOf = once((page: Page) => elementsOf(page.root).filter(isItem));
  return { itemsOf, firstOfPage: (test) => once((page) => itemsOf(page).find(test)) };
};

type Surroundings = {
  /** The element with the results. A form or a head that is not closed contains it. */
  isMain: Test;
  /** Forms that belong to an answer. */
  isAnswerForm: Test;
  /** Roles of elements without results, outside of items. */
  roles: ReadonlySet<string>;
  /** Elements without results, by their id. */
  isKnownPart: Test;
};

const aroundNames = new Set(['footer', 'dialog', 'template', 'noscript']);

/** Matches elements that contain no results: the head, the search form, menus, dialogs, the footer. */
export const isAroundResults = ({ isMain, isAnswerForm, roles, isKnownPart }: Surroundings): Test => {
  const isHead: Test = (element) =>
    (element.name === 'header' || (element.name === 'form' && !isAnswerForm(element))) &&
    !has(element, isMain);
  return (element) => {
    const { role } = element.attribs;
    return (
      aroundNames.has(element.name) ||
      isHead(element) ||
      (role !== undefined && roles.has(role) && !isInside(element, isNamed('li'))) ||
      isKnownPart(element)
    );
  };
};

/**
 * The text before the title of a web result is its site and its address. An answer or a list of questions
 * begins with a longer text.
 */
export const maxTextBefore = 60;

/** The first link for each key, such as its target. */
export const firstOfEach = (links: Element[], keyOf: (link: Element) => string): Element[] => {
  const found = new Map<string, Element>();
  for (const link of links) {
    const key = keyOf(link);
    if (!found.has(key)) found.set(key, link);
  }
  return [...found.values()];
};
