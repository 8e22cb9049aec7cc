/** Tells a result that has lost its marks from a card of a block, by the elements around it. */

import type { Element } from 'domhandler';
import { ancestors, findAll, has, isLink, type Test } from '../dom.ts';
import { linesOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { isAddress, isColumn, isMobileTitleLink, isTitleLink } from './elements.ts';

const isTitle: Test = (link) => isTitleLink(link) || isMobileTitleLink(link);

/** The names of the elements around a link. */
const shapeOf = (link: Element): string =>
  ancestors(link)
    .map(({ name }) => name)
    .join(' ');

/** How far the first element with classes may be from a link. */
const classLevels = 4;

/** The classes of the first element around a link that has some; empty if none near it has. */
const classesAround = (link: Element): string =>
  ancestors(link)
    .slice(0, classLevels)
    .map(({ attribs }) => attribs.class ?? '')
    .find((classes) => classes !== '') ?? '';

/** Whether one of the links is in the same elements as a result that was read. */
export const haveShapeOfResult = (page: Page, lost: Element[]): boolean => {
  if (lost.length === 0) return false;
  const results = findAll(page.root, isTitle);
  const shapes = new Set(results.map(shapeOf));
  return lost.some((link) => shapes.has(shapeOf(link)));
};

/** Whether a link is in the same elements as a result, or near an element with the same classes. */
const isLikeResult = (page: Page, link: Element): boolean => {
  const classes = classesAround(link);
  return (
    haveShapeOfResult(page, [link]) ||
    (classes !== '' && findAll(page.root, isTitle).some((result) => classesAround(result) === classes))
  );
};

/** Whether an address without a link is in other classes than all others, which are those of results. */
const isOddAddress = (page: Page, element: Element): boolean => {
  const classes = classesAround(element);
  const others = findAll(page.root, (other) => other !== element && isAddress(other));
  return classes !== '' && others.length > 0 && others.every((other) => classesAround(other) !== classes);
};

const isOdd = (page: Page, element: Element): boolean =>
  isLink(element) ? !isLikeResult(page, element) : isAddress(element) && isOddAddress(page, element);

const maxBoxes = 8;

/**
 * Whether a link is in a block that begins with a caption and contains no result. The box of a result begins
 * with its link.
 */
const isUnderCaption = (link: Element): boolean => {
  const [start = ''] = linesOf(link);
  const boxes = ancestors(link).slice(0, maxBoxes);
  const end = boxes.findIndex((box) => isColumn(box) || has(box, isTitle));
  const block = boxes.slice(0, end < 0 ? maxBoxes : end).at(-1);
  return block !== undefined && linesOf(block)[0] !== start;
};

/** More cards of a block may be results that have lost their marks. */
const maxOddCards = 2;

/**
 * Whether the links, or an address without one, are odd cards, or the head of a block: they are in other
 * elements than the results, and there is only one, or they are under a caption.
 */
export const areOddCards = (page: Page, lost: Element[]): boolean =>
  lost.length <= maxOddCards &&
  lost.every((element) => isOdd(page, element)) &&
  (lost.length === 1 || lost.every((element) => isLink(element) && isUnderCaption(element)));
