/**
 * Carousels of entities: films, songs, a cast, other searches. Each card is a link with a picture to the
 * engine's search for an entity.
 */

import type { Document, Element } from 'domhandler';
import { ancestors, has, isInside, type Test } from '../dom.ts';
import { linesOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { elementsOf, once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { isAround, isCardList, isEntityData, isPicture, isRight } from './elements.ts';
import { absolute } from './link.ts';
import { searchParameters } from './own-search.ts';
import { squeezed } from './related-search.ts';

/** Links to an entity have its key. */
export const isEntityLink: Test = (element) =>
  element.name === 'a' &&
  element.attribs.href?.includes('/search?') === true &&
  /[?&](?:stick|si)=/.test(element.attribs.href) &&
  searchParameters(element) !== undefined;

const isListItem: Test = ({ attribs }) => attribs.role === 'listitem';

/** The name of a card. In the title of a link, more may follow it in parentheses. */
const labelOf = ({ attribs }: Element): string => {
  const { title = '' } = attribs;
  const start = title.endsWith(')') ? title.indexOf('(', title.lastIndexOf(')', title.length - 2) + 1) : -1;
  return attribs['aria-label'] || (start < 0 ? title : title.slice(0, start).trimEnd());
};

/** A card has its name as a label, or is in a list. Filters and buttons with a picture have neither. */
const isMarked: Test = (element) => labelOf(element) !== '' || isInside(element, isListItem);

/** The data of an entity has cards without these marks, and facts with a picture. */
const isCard: Test = (element) =>
  isEntityLink(element) &&
  has(element, isPicture) &&
  (isMarked(element) || isInside(element, isEntityData)) &&
  linesOf(element).length > 0;

/** Pages for browsers without scripts have no labels and no lists. */
const isBasicCard: Test = (element) => isEntityLink(element) && has(element, isPicture);

/** The carousel of a card: its list, or the smallest box around it with another card. */
const carouselOf = (card: Element, counts: Map<Element, number>): Element | undefined => {
  const boxes = ancestors(card).filter((box) => (counts.get(box) ?? 0) > 1);
  return boxes.find(isCardList) ?? boxes[0];
};

/** A fact may have two links with pictures, such as the parents of a person. */
const minCards = { marked: 2, other: 3 };

/** The carousels of a page by their first cards. Cards of the right side belong to the panel. */
const carouselsIn = (root: Document, isCardOf: Test): Map<Element, Element[]> => {
  const cards = elementsOf(root).filter(
    (element) => isCardOf(element) && !isInside(element, (up) => isRight(up) || isAround(up)),
  );
  const counts = new Map<Element, number>();
  for (const card of cards) for (const box of ancestors(card)) counts.set(box, (counts.get(box) ?? 0) + 1);
  const groups = Map.groupBy(cards, (card) => carouselOf(card, counts));
  return new Map([...groups.values()].flatMap((all) => (all[0] ? [[all[0], all]] : [])));
};

const carousels = once((root: Document) => carouselsIn(root, isCard));
const basicCarousels = once((root: Document) => carouselsIn(root, isBasicCard));

/** The name of a card is its label. It may take several lines, or be shortened. */
const nameIn = (lines: string[], label: string): { name: string; rest: string[] } => {
  const [first = '', ...others] = lines;
  const shown = squeezed(label);
  for (let count = 1; count <= lines.length; count += 1) {
    const text = lines.slice(0, count).join(' ');
    const isShortened = /(?:\.{3}|…)$/.test(text) && shown.startsWith(squeezed(text));
    if (isShortened || squeezed(text) === shown) return { name: label, rest: lines.slice(count) };
  }
  return { name: first, rest: others };
};

const readCard = (card: Element): Draft[] => {
  const { name, rest } = nameIn(linesOf(card), labelOf(card));
  return name === '' ? [] : [{ title: name, ...absolute(card.attribs.href), snippet: rest.join(' · ') }];
};

const readFrom =
  (carouselsOf: (root: Document) => Map<Element, Element[]>) =>
  (card: Element, { root }: Page): Draft[] => {
    const cards = carouselsOf(root).get(card) ?? [];
    const wanted = isMarked(card) ? minCards.marked : minCards.other;
    return cards.length < wanted ? [] : cards.flatMap(readCard);
  };

export const readEntityCards = readFrom(carousels);
export const readBasicEntityCards = readFrom(basicCarousels);
