/**
 * Blocks of cards that no other reader knows: jobs, products and flights by the service that their links lead
 * to, and carousels of other pages. A card is an item of a list in the block, with a link and a title.
 */

import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { findAll, isInside, isNamed, type Test } from '../dom.ts';
import { shownHost } from '../host.ts';
import { linesOf, textIn, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { isCite, isOtherItem, isRight, leadsTo, partsOf } from './elements.ts';
import { isAdLink, leadsOut, ownPageOf, ownPathOf, targetOfLink } from './link.ts';

type Card = { part: Element; link: Element; target: Target };

/** Fewer cards may be the sources of an answer. */
const minCards = 3;

/** A card shows a title and facts. A longer text is an answer. */
const maxCardText = 200;

const isListItem: Test = ({ name, attribs }) => name === 'li' || attribs.role === 'listitem';

/** The nearest list item around an element of a block. */
const listItemAround = (element: Element, block: Element): Element | undefined => {
  let found: Element | undefined;
  isInside(element, (up) => {
    if (up !== block && isListItem(up)) found = up;
    return up === block || found !== undefined;
  });
  return found;
};

/** The list items in a block that contain no other one. */
const listItemsIn = (block: Element): Element[] => {
  const items = partsOf(block).all.filter(isListItem);
  const outer = new Set(items.map((item) => listItemAround(item, block)));
  return items.filter((item) => !outer.has(item));
};

/** The first link of a card out of the engine, or to a page of the engine that `own` accepts. */
const readCard = (part: Element, own: Test): Card | undefined => {
  for (const link of findAll(part, isNamed('a'))) {
    if (isAdLink(link)) return undefined;
    const url = own(link) ? ownPageOf(link)?.href : undefined;
    const target: Target | null = leadsOut(link)
      ? targetOfLink(link)
      : url === undefined
        ? null
        : { url, url_resolution: 'opaque' };
    if (target) return { part, link, target };
  }
  return undefined;
};

/** The cards of a block, each target once; none if there are too few. */
const cardsBy = (own: Test): ((block: Element) => Card[]) =>
  once((block: Element): Card[] => {
    const cards = new Map<string, Card>();
    for (const part of listItemsIn(block)) {
      const card = readCard(part, own);
      if (!card || cards.has(card.target.url)) continue;
      if (titleOf(card) !== '' && textOf(part).length <= maxCardText) cards.set(card.target.url, card);
    }
    return cards.size < minCards ? [] : [...cards.values()];
  });

const isHeading: Test = ({ name, attribs }) => /^h[2-6]$/.test(name) || attribs.role === 'heading';

/** A price, a rating or the name of a site. */
const isFact = (line: string): boolean =>
  priceIn(line) !== '' || ratingIn(line).rating !== undefined || shownHost(line) !== '';

/** The heading of a card, or its first line with a word that is no fact, or the label of its link. */
const titleOf = ({ part, link }: Card): string =>
  textIn(part, (element) => isHeading(element) && textOf(element) !== '') ||
  (linesOf(part, isCite).find((line) => /\p{L}{2}/u.test(line) && !isFact(line)) ??
    link.attribs['aria-label'] ??
    '');

const readCards = (cards: Card[]): Draft[] =>
  cards.map((card) => {
    const { part, target } = card;
    const [title, lines, source] = [titleOf(card), linesOf(part, isCite), textIn(part, isCite)];
    const price = lines.map(priceIn).find(Boolean);
    const rating = lines.map(ratingIn).find((facts) => facts.rating !== undefined);
    return {
      title,
      ...target,
      snippet: lines.filter((line) => line !== title && !isFact(line)).join(' '),
      ...rating,
      ...(price && { price }),
      ...(source && { source }),
    };
  });

const kindBy = (own: Test, leads: Test) => {
  const cardsIn = cardsBy(own);
  return {
    root: (element: Element): boolean =>
      isOtherItem(element) && !isInside(element, isRight) && leads(element) && cardsIn(element).length > 0,
    read: (element: Element): Draft[] => readCards(cardsIn(element)),
  };
};

/** A block whose links lead to one of the engine's services. */
const ofService = (path: RegExp) => kindBy((link) => path.test(ownPathOf(link)), leadsTo(path));

export const jobs = ofService(/^\/jobs\b/);

export const products = ofService(/^\/shop(?:ping)?\b/);

export const flights = ofService(/^\/travel\/flights\b/);

/** Cards of other sites. */
export const carousel = kindBy(
  () => false,
  () => true,
);
