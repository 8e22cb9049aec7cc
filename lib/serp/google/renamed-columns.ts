/**
 * Finds the columns of a page whose ids have changed, and gives them the ids that the reader knows. A page
 * that has any known id stays as it is, so results outside its columns still do not rank.
 */

import { type Element, isTag } from 'domhandler';
import { ancestors, find, findAll, has, isInside, type Test, walk } from '../dom.ts';
import { addMark, mark } from '../marks.ts';
import type { Page } from '../page.ts';
import { identifiedIn } from '../page-cache.ts';
import { readWithin } from '../steps.ts';
import { isAd } from './ad.ts';
import { isBasicTitle } from './basic.ts';
import { isColumn, isHeading, isInert, isMobileTitleLink, isTitleLink } from './elements.ts';
import { searchParameters, startOf } from './own-search.ts';

const hasRole =
  (...roles: string[]): Test =>
  ({ attribs }) =>
    attribs.role !== undefined && roles.includes(attribs.role);

const isMain: Test = (element) => element.name === 'main' || hasRole('main')(element);

const isSide: Test = (element) => element.name === 'aside' || hasRole('complementary')(element);

/** The block of ads is a region. Results are in no region. */
const isRegion = hasRole('region');

const isFoot: Test = (element) => element.name === 'footer' || hasRole('contentinfo')(element);

const isNavigation: Test = (element) => element.name === 'nav' || hasRole('navigation')(element);

const isOtherRole = hasRole('banner', 'menu', 'dialog', 'alertdialog');

/** Elements in which no result ranks. */
const isOther: Test = (element) =>
  isInert(element) ||
  element.name === 'header' ||
  element.name === 'dialog' ||
  isOtherRole(element) ||
  isSide(element) ||
  isAd(element);

/** A link to another page or tab of the search. Pages of other engines have none. */
const isTabLink: Test = (element) => {
  const parameters = element.name === 'a' ? searchParameters(element) : undefined;
  return parameters !== undefined && ['start', 'udm', 'tbm'].some((name) => parameters.has(name));
};

const isTitle: Test = (element) => isTitleLink(element) || isMobileTitleLink(element);

type Parts = { titles: Element[]; regions: Element[]; isFollowed: boolean };

/**
 * The title links, the regions, and whether an end of the page follows the title links: the footer, or the
 * links to other pages. A title after the footer was moved or added.
 */
const partsOf = (page: Page): Parts => {
  const titles: Element[] = [];
  const regions: Element[] = [];
  let isFollowed = false;
  let hasFoot = false;
  let isMoved = false;
  walk(page.root, (element) => {
    if (isRegion(element)) regions.push(element);
    if (isFoot(element)) hasFoot = true;
    if (isFoot(element) || startOf(element) !== undefined) isFollowed = true;
    if (isFoot(element) || isRegion(element) || isOther(element)) return false;
    if (!isTitle(element) || isInside(element, isNavigation)) return true;
    titles.push(element);
    isMoved ||= hasFoot;
    isFollowed = false;
    return false;
  });
  return { titles, regions, isFollowed: isFollowed && !isMoved };
};

/** The smallest element that contains all these elements. */
const boxAround = ([first, ...others]: Element[]): Element | undefined => {
  if (!first) return undefined;
  const boxes = ancestors(first);
  let smallest = 0;
  for (const other of others) {
    const around = new Set(ancestors(other));
    while (smallest < boxes.length && !around.has(boxes[smallest] as Element)) smallest += 1;
  }
  return boxes[smallest];
};

const countsClick = /^(?:https?:\/\/[^/]+)?\/(?:pagead\/)?aclk\?/;

/** Ads have an address that counts clicks, in an attribute of any name. */
const hasAds = (region: Element): boolean =>
  has(region, isAd) ||
  has(
    region,
    ({ name, attribs }) => name === 'a' && Object.values(attribs).some((at) => countsClick.test(at)),
  );

const isQueryBox: Test = ({ name, attribs }) =>
  (name === 'input' || name === 'textarea') && attribs.name === 'q' && attribs.type !== 'hidden';

const isEndOfColumn: Test = (element) => isFoot(element) || isQueryBox(element);

/** The largest box around an element that contains neither the search box nor the end of the page. */
const largestAround = (element: Element): Element => {
  const end = ancestors(element).findIndex((box) => box.name === 'body' || has(box, isEndOfColumn));
  return ancestors(element)[end - 1] ?? element;
};

const countElements = (box: Element): number => findAll(box, () => true).length;

/** The largest of the sides. */
const largest = (sides: Element[]): Element | undefined =>
  sides.sort((a, b) => countElements(b) - countElements(a))[0];

const isPaging: Test = (element) => startOf(element) !== undefined;

/**
 * A block beside the main column, which is not one below it: it has a heading, but neither ads nor links to
 * other pages.
 */
const isBeside: Test = (block) => has(block, isHeading) && !has(block, isPaging) && !hasAds(block);

/** The element beside the main column, before the end of the page. */
const besideOf = (main: Element): Element | undefined => {
  for (const box of [main, ...ancestors(main)]) {
    if (!box.parent || !isTag(box.parent) || box.name === 'body' || has(box.parent, isFoot)) return undefined;
    for (let node = box.next; node; node = node.next) {
      if (isTag(node) && isBeside(node)) return node;
    }
  }
  return undefined;
};

/**
 * The column of results names the query that its results are for, in an attribute whose name may have
 * changed.
 */
const namesQuery: Test = ({ attribs }) =>
  Object.values(attribs).some((value) => /^query:|;query:/.test(value));

/**
 * The right side is beside the main column, or in it, next to the results. Blocks of the main column have
 * sides too, which are smaller.
 */
const sideOf = (page: Page, main: Element): Element | undefined => {
  const sides = findAll(page.root, (element) => isSide(element) && !isInside(element, isSide));
  const outside = sides.filter((side) => !isInside(side, isMain));
  return largest(outside) ?? besideOf(main) ?? largest(sides);
};

/**
 * The columns of a page with their known ids. Empty if the page does not show that it is a page of results,
 * or if its title links are not together before the end of the page.
 */
const columnsOf = (page: Page): [id: string, column: Element][] => {
  const { titles, regions, isFollowed } = partsOf(page);
  if (!isFollowed || !has(page.root, isTabLink)) return [];
  const around = boxAround(titles);
  if (!around || around.name === 'body' || around.name === 'html') return [];
  if (titles.some(isBasicTitle)) return [['main', around]];
  const main = [around, ...ancestors(around)].find(isMain);
  // A page with a main element has its results in it.
  if (!main && (has(page.root, isMain) || titles.length === 1)) return [];
  const results = find(page.root, namesQuery) ?? (titles.length === 1 && main ? main : around);
  const frame = main && main !== results ? main : largestAround(results);
  const side = main && sideOf(page, main);
  return [
    ...regions.filter(hasAds).map((region): [string, Element] => ['tads', region]),
    [main ? 'search' : 'center_col', frame],
    ['rso', results],
    ...(side ? [['rhs', side] satisfies [string, Element]] : []),
  ];
};

/** A page that needs more steps keeps its ids, so it is no page of results. */
const maxSteps = 200_000;

/** The engine counts views and clicks of each block by these attributes. */
const isTracked: Test = ({ attribs }) =>
  attribs['data-hveid'] !== undefined || attribs['data-ved'] !== undefined;

/**
 * Gives the columns of a page without any known id their ids. Changes the tree, so call it before the page is
 * read.
 */
export const nameColumns = (page: Page): void => {
  // The list of elements with an id stays the one of before: whether a page for browsers without scripts had
  // columns decides where results may be lost.
  const identified = identifiedIn(page.root);
  if (identified.some(isColumn)) return;
  // The parts that a button opens have an id, which the button names. Without any id, they are told from
  // results by the data attributes of their blocks.
  if (identified.length === 0 && !has(page.root, isTracked)) return;
  for (const [id, column] of readWithin(maxSteps, () => columnsOf(page)) ?? []) {
    column.attribs.id = id;
    addMark(column, mark.id);
  }
};
