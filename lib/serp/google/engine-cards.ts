/** Blocks whose cards open the engine's own viewer: jobs, events, flights, hotels, unpaid products. */

import { type Element, isTag } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { find, findAll, has, isInside, isNamed, partsAround, type Test } from '../dom.ts';
import { leavesOf, linesOf, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { asciiDigits, trimmed } from '../text.ts';
import type { Draft } from '../walker.ts';
import { isCardTitle, leadsTo, nameOf, otherLines } from './card.ts';
import { isOpened } from './elements.ts';
import { absolute, leadsOut, targetOf } from './link.ts';
import { priceOf, starsIn } from './rating.ts';

const travel = /^(?:https:\/\/www\.google\.[a-z.]+)?\/travel\//;

/** The card of a hotel is one link, or a box that works as a link. */
const isHotel: Test = ({ attribs }) => {
  const href = attribs.role === 'link' ? (attribs.href ?? attribs['data-url'] ?? '') : '';
  const [, path] = /\/travel\/(.*)/s.exec(href) ?? [];
  return path !== undefined && (path.includes('/entity/') || href.includes('/travel/search'));
};

/** Bubbles contain invitations to sign in. */
const isBubble = isNamed('g-bubble', 'g-popup', 'button');

/** A box that works as a link has its address in an attribute, from which its script opens it. */
const addressOf = ({ attribs }: Element): string | undefined => attribs.href ?? attribs['data-url'];

const addressIn = (part: Element): Draft => {
  const link = find(part, (element) => absolute(addressOf(element)) !== null);
  return (link && absolute(addressOf(link))) ?? {};
};

const readViewer =
  (isBlock: (box: Element) => boolean, isCardMarker: Test, isTitle: Test) =>
  (box: Element): Draft[] => {
    if (!isBlock(box)) return [];
    const markers = findAll(box, isCardMarker);
    return partsAround(box, markers).flatMap(([, part]) => {
      const heading = find(part, isTitle);
      const title = heading ? nameOf(heading) : (linesOf(part, isBubble)[0] ?? '');
      const lines = otherLines(part, title, isBubble);
      const price = priceOf(part);
      if (title === '' || lines.length === 0) return [];
      return [
        {
          title,
          ...addressIn(part),
          ...ratingIn(lines.join(' ')),
          ...(price && { price }),
          snippet: lines.join(' · '),
        },
      ];
    });
  };

export const readJobs = readViewer(leadsTo(/[?&]ibp=htl;jobs|[?&]udm=8(?!\d)/), isCardTitle, isCardTitle);
export const readEvents = readViewer(leadsTo(/[?&]ibp=htl;events/), isCardTitle, isCardTitle);
/** A link to one flight has the flight in its address. Its parts are elements, the airline first. */
const isFlight: Test = ({ name, attribs }) =>
  name === 'a' && /\/travel\/flights\?(?:[^#]{0,2048}&)?tfs=/.test(attribs.href ?? '');

const readFlight = (link: Element): Draft[] => {
  const [title = '', ...rest] = link.children.flatMap((part) => (isTag(part) ? textOf(part) || [] : []));
  const price = priceOf(link);
  return title === '' || rest.length === 0
    ? []
    : [{ title, ...absolute(link.attribs.href), ...(price && { price }), snippet: rest.join(' · ') }];
};

const readFlightCards = readViewer(leadsTo(/\/travel\/flights/), isCardTitle, isCardTitle);

/** Flights are rows with the airline, the time, the stops and the price, or cards with a title. */
export const readFlights = (box: Element): Draft[] => {
  const rows = findAll(box, isFlight).flatMap(readFlight);
  return rows.length > 0 ? rows : readFlightCards(box);
};
export const readHotels = readViewer(leadsTo(travel), isHotel, isCardTitle);

/** The data of events of a place, or of a person. */
const isEventData: Test = ({ attribs }) => {
  const name = attribs['data-attrid'];
  return name !== undefined && /[Ee]vents?(?![a-z])/.test(name);
};

/** The row of an event has the id of the event, or is an item of a list. */
const isRow: Test = ({ attribs }) =>
  attribs['data-entityid'] !== undefined ||
  attribs['data-rentity'] !== undefined ||
  attribs.role === 'listitem';

/** The row of an event. The shops that sell tickets for it are in the part that the row opens. */
export const isEvent: Test = (element) =>
  isRow(element) &&
  (isEventData(element) || isInside(element, isEventData)) &&
  !isInside(element, isOpened) &&
  !has(element, isRow);

const isTicket: Test = (element) => leadsOut(element) && isInside(element, isEventData);

/** A date or a time is a short text with a number. */
const isTime = (text: string): boolean => text.length <= 16 && /\p{Nd}/u.test(text);

/** An event has the date, the name and the place, in this order. */
export const readEvent = (block: Element, _: Page, row: Element): Draft[] => {
  const texts = leavesOf(row);
  const day = texts.findIndex(isTime);
  const at = texts.findIndex((text, index) => index > day && !isTime(text));
  const title = texts[at] ?? '';
  if (title === '') return [];
  const date = texts.slice(0, at).join(' ');
  const ticket = find(block, isTicket);
  const target = ticket ? targetOf(ticket.attribs.href) : addressIn(row);
  const snippet = texts.slice(at + 1).join(' · ');
  return [{ title, ...target, ...(date && { date }), snippet }];
};

/** The card of an unpaid product has the ids of the product and of its offer. */
export const isProduct: Test = ({ name, attribs }) =>
  name === 'product-viewer-entrypoint' ||
  (attribs['data-mid'] !== undefined && attribs['data-oid'] !== undefined);

/** How many other shops have the product: `, 10+`, `& more`. */
const otherShops =
  / ?(?:[,&+·]\s?\p{Nd}{1,9}\s?\+?|&\s?(?:more|mehr|plus|más|mais|altri|meer|fler|flere))$/iu;

/** The name of a shop is a separate element. What follows it in the same line tells of other shops. */
const shopIn = (card: Element, line: string): string => {
  const name = leavesOf(card).find((text) => /^\p{L}/u.test(text) && line.startsWith(text)) ?? line;
  const rest = line.slice(name.length);
  return trimmed((otherShops.test(` ${rest}`) ? name : line).replace(otherShops, ''));
};

/** The page of the shop, or the engine's own page of the product, if the card has a link. */
const targetOfCard = (card: Element): Draft => {
  const link = find(card, leadsOut) ?? (leadsOut(card) ? card : undefined);
  return (link && targetOf(link.attribs.href)) ?? { ...absolute(addressOf(card)), ...addressIn(card) };
};

/** A card has the title, the price, the shop and the stars, in this order. A badge may precede the title. */
export const readProduct = (card: Element): Draft[] => {
  const lines = linesOf(card);
  const price = priceOf(card) || (lines.map(priceIn).find((amount) => amount !== '') ?? '');
  const stars = lines.findIndex((line) => /^\D?[0-5][.,]\d(?!\d)/.test(asciiDigits(line)));
  const priced = price === '' ? -1 : lines.findIndex((line) => line.includes(price));
  const at = priced >= 0 ? priced : stars;
  if (at < 0) return [];
  const title = lines.slice(0, at).findLast((line) => line.length > 3) ?? '';
  if (title === '') return [];
  const line = lines.slice(at + 1).find((one) => priceIn(one) === '' && /^\p{L}/u.test(one)) ?? '';
  const source = shopIn(card, line);
  return [
    {
      title,
      ...targetOfCard(card),
      ...(price && { price }),
      ...(source && { source }),
      ...ratingIn(`${lines.slice(at + 1).join(' ')} ${starsIn(card)}`),
    },
  ];
};
