/**
 * The blocks of a page that no component has read. Columns and boxes around several blocks are searched;
 * what is around the results, such as navigation and footers, is left out.
 */

import { type Element, isTag, type ParentNode } from 'domhandler';
import type { ItemType, UnreadBlock } from '../../model/result.ts';
import { findAll, has, hasId, isInside, isLink, type Test } from '../dom.ts';
import { firstSignOf, isHidden, linesOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { identifiedIn } from '../page-cache.ts';
import { spend } from '../steps.ts';
import { describeBlock, hasCaptionOfOverview, looksLike } from '../unread-block.ts';
import type { Reading } from '../walker.ts';
import { isAdLink } from './ad.ts';
import { isAdColumn, isAround, isColumn, isEntityData, isHeading, isOverview } from './elements.ts';
import { leadsOut } from './link.ts';
import { isMapLink } from './local-pack.ts';

const isResults = hasId('rso');

const isNavigation: Test = ({ name, attribs }) =>
  name === 'nav' || attribs.role === 'navigation' || attribs.role === 'search';

const signs = {
  isPaid: (element: Element) => isAdColumn(element) || isAdLink(element),
  isPlaces: isMapLink,
  leadsOut,
};

type Place = { element: Element; parent: 'page' | 'column' | 'results' | 'box' };

/** Columns whose children are blocks. */
const isOfBlocks = hasId(
  ...'center_col res search topstuff botstuff bres taw Odp5De atvcap tvcap bottomads rhs'.split(' '),
);

const placeIn = (element: Element, parent: Place['parent']): Place['parent'] => {
  if (isResults(element)) return 'results';
  return isOfBlocks(element) ? 'column' : parent;
};

const isShown: Test = (element) => !isHidden(element) && !isInside(element, isHidden);

const isShownLink: Test = (element) => isLink(element) && isShown(element);

const hasItem = ({ left, right }: Reading, kind: ItemType): boolean =>
  [...left, ...right].some(({ type }) => type === kind);

/** The parts of a panel have data of the engine. */
const isOfPanel = (element: Element, reading: Reading): boolean =>
  hasItem(reading, 'knowledge_panel') &&
  (has(element, isEntityData) || isInside(element, isEntityData) || isEntityData(element));

const isSide: Test = ({ name, attribs }) => name === 'aside' || attribs.role === 'complementary';

/** A panel of the right side, or one beside the results of an entity, has several facts and their source. */
const minLinesOfPanel = 3;

const isUnreadPanel = (element: Element, reading: Reading): boolean =>
  !hasItem(reading, 'knowledge_panel') &&
  (isSide(element) || isInside(element, isSide) || has(element, isSide)) &&
  linesOf(element).length >= minLinesOfPanel &&
  has(element, leadsOut);

const isFolded: Test = ({ attribs }) => attribs['aria-expanded'] !== undefined;

const minRows = 2;

/** Topics that open when the user clicks them. What they open may be loaded later, so there is no link. */
const areUnreadTopics = (element: Element, reading: Reading): boolean =>
  !hasItem(reading, 'things_to_know') && findAll(element, isFolded).filter(isShown).length >= minRows;

/** Outside the known columns, only a block that says what it is counts. */
const isBlock = ({ element, parent }: Place, reading: Reading): boolean => {
  if (hasCaptionOfOverview(element)) return !isOverview(element) && !has(element, isOverview);
  if (firstSignOf(element) === '' || isOfPanel(element, reading)) return false;
  if (!has(element, isShownLink)) return parent === 'results' && areUnreadTopics(element, reading);
  if (parent === 'results' || (parent !== 'page' && isUnreadPanel(element, reading))) return true;
  const look = looksLike(element, signs, reading);
  if (parent === 'page') return look === 'ads' || look === 'overview';
  if (look !== undefined) return has(element, leadsOut) || look === 'places';
  return has(element, isHeading) && findAll(element, leadsOut).length >= 2 && linesOf(element).length >= 3;
};

/** The boxes around the columns and the claims. Each is visited once, whatever the depth of the page. */
const boxesAround = (page: Page, { blocks }: Reading): Set<ParentNode> => {
  const boxes = new Set<ParentNode>();
  const columns = identifiedIn(page.root).filter((one) => isOfBlocks(one) || isResults(one));
  for (const inside of [...columns, ...blocks]) {
    for (let up = inside.parent; up && !boxes.has(up); up = up.parent) boxes.add(up);
  }
  spend(boxes.size);
  return boxes;
};

/** The boxes that have no claim, in page order. */
const unclaimedBlocks = (page: Page, reading: Reading): Element[] => {
  const found: Element[] = [];
  const waiting: Place[] = [];
  const { blocks } = reading;
  const around = boxesAround(page, reading);
  const push = (parent: ParentNode, place: Place['parent']): void => {
    for (const child of parent.children.toReversed())
      if (isTag(child)) waiting.push({ element: child, parent: place });
  };
  push(page.root, 'page');
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { element, parent } = next;
    if (isAround(element) || isNavigation(element) || isHidden(element) || blocks.has(element)) continue;
    if (isColumn(element)) push(element, placeIn(element, parent));
    else if (around.has(element)) push(element, parent === 'page' ? 'page' : 'box');
    else if (isBlock(next, reading)) found.push(element);
  }
  return found;
};

/** The blocks that were not read, and the results in other places that look unread, with their titles. */
export const unreadBlocksOf = (page: Page, reading: Reading, lost: Element[]): UnreadBlock[] => {
  const found = unclaimedBlocks(page, reading);
  const inFound: Test = (element) => found.includes(element);
  const others = lost.filter((link) => !inFound(link) && !isInside(link, inFound));
  return [...found, ...others].map((block) => describeBlock(block, signs, reading));
};
