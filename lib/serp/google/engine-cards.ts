/** Blocks whose cards open the engine's own viewer: jobs, events, flights, hotels, unpaid products. */
import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { find, findAll, isNamed, linesOf, type Test } from '../dom.ts';
import type { Draft } from '../walker.ts';
import { isCardTitle, leadsTo, nameOf, otherLines, partsAround } from './card.ts';
import { absolute } from './link.ts';
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

const addressOf = ({ attribs }: Element): string | undefined => attribs.href ?? attribs['data-url'];

const targetIn = (part: Element): Draft => {
  const link = find(part, (element) => absolute(addressOf(element)) !== null);
  return (link && absolute(addressOf(link))) ?? {};
};

const readViewer =
  (isBlock: (box: Element) => boolean, isCardMarker: Test, isTitle: Test) =>
  (box: Element): Draft[] => {
    if (!isBlock(box)) return [];
    const markers = findAll(box, isCardMarker);
    return partsAround(box, markers).flatMap((part) => {
      const heading = find(part, isTitle);
      const title = heading ? nameOf(heading) : (linesOf(part, isBubble)[0] ?? '');
      const lines = otherLines(part, title, isBubble);
      const price = priceOf(part);
      if (title === '' || lines.length === 0) return [];
      return [
        {
          title,
          ...targetIn(part),
          ...ratingIn(lines.join(' ')),
          ...(price && { price }),
          snippet: lines.join(' · '),
        },
      ];
    });
  };

export const readJobs = readViewer(leadsTo(/[?&]ibp=htl;jobs|[?&]udm=8(?!\d)/), isCardTitle, isCardTitle);
export const readEvents = readViewer(leadsTo(/[?&]ibp=htl;events/), isCardTitle, isCardTitle);
export const readFlights = readViewer(leadsTo(/\/travel\/flights/), isCardTitle, isCardTitle);
export const readHotels = readViewer(leadsTo(travel), isHotel, isCardTitle);

/** The card of an unpaid product has the ids of the product and of its offer. */
export const isProduct: Test = ({ name, attribs }) =>
  name === 'product-viewer-entrypoint' ||
  (attribs['data-mid'] !== undefined && attribs['data-oid'] !== undefined);

/** A card has the title, the price, the shop and the stars, in this order. A badge may precede the title. */
export const readProduct = (card: Element): Draft[] => {
  const lines = linesOf(card);
  const price = priceOf(card) || (lines.map(priceIn).find((amount) => amount !== '') ?? '');
  const stars = lines.findIndex((line) => /^\D?[0-5][.,]\d(?!\d)/.test(line));
  const priced = price === '' ? -1 : lines.findIndex((line) => line.includes(price));
  const at = priced >= 0 ? priced : stars;
  if (at < 0) return [];
  const title = lines.slice(0, at).findLast((line) => line.length > 3) ?? '';
  if (title === '') return [];
  const source = lines.slice(at + 1).find((line) => priceIn(line) === '' && /^\p{L}/u.test(line)) ?? '';
  return [
    {
      title,
      ...(price && { price }),
      ...(source && { source }),
      ...ratingIn(`${lines.slice(at + 1).join(' ')} ${starsIn(card)}`),
    },
  ];
};
