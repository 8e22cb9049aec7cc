/** Places: a block with links to maps, and with a title and lines of text for each place. */

import type { Element } from 'domhandler';
import { phoneIn, ratingIn } from '../amounts.ts';
import { find, findAll, has, isInside, partsAround, type Test } from '../dom.ts';
import { isHidden, textOf } from '../lines.ts';
import { mark, mayHave } from '../marks.ts';
import { countsUnit } from '../units.ts';
import type { Draft } from '../walker.ts';
import { isCardTitle, leadsTo, nameOf, otherLines } from './card.ts';
import { isHeading } from './elements.ts';
import { leadsOut, targetOf } from './link.ts';
import { isPlaceAd } from './place-ad.ts';

const toMaps =
  /^(?:https:\/\/www\.google\.[a-z.]+)?\/(?:maps|searchviewer|viewer\/place|localservices)|[?&](?:tbm=lcl|udm=1(?!\d)|rllag=|ludocid=)/;

const leadsToMaps = leadsTo(toMaps);

/** A link to the engine's map, or to its pages of places. */
export const isMapLink: Test = (element) => {
  const { attribs } = element;
  if (attribs.href === undefined && !mayHave(element, mark.data)) return false;
  return toMaps.test(attribs.href ?? attribs['data-url'] ?? '');
};

const isRatingLine = (line: string): boolean => ratingIn(line).rating !== undefined;

const partsOf = (line: string): string[] => line.split('·').map((part) => part.trim());

/** The text before an address says how long the business exists: `10+ years in business`. */
const isAge = (part: string): boolean => countsUnit(part, 'year');

/** Opening hours have a sign of their own, a time, or a number of hours. */
const isHours = (line: string): boolean =>
  /⋅|(?<!\p{Nd})\p{Nd}{1,2}(?::\p{Nd}{2}|\s?[AaPp]\.?\s?[Mm](?!\p{L}))/u.test(line) ||
  countsUnit(line, 'hour');

const isCategory = (part: string): boolean => /\p{L}/u.test(part) && !/\p{Nd}/u.test(part);

/**
 * The first line has the stars and the category, the next has the address. On mobile pages of 2023 the
 * category precedes the address.
 */
const describe = (lines: string[]): { first: string; address: string; category: string } => {
  const rated = lines.findIndex(isRatingLine);
  const at = rated < 0 && (lines[0] ?? '').includes('·') ? 0 : rated;
  const first = at < 0 ? '' : (lines[at] ?? '');
  const line = lines.slice(at + 1).find((one) => !/^["“„«]/.test(one)) ?? '';
  const address = isHours(line)
    ? ''
    : partsOf(line)
        .filter((part) => !isAge(part))
        .join(' · ');
  const category = partsOf(first).findLast(isCategory);
  if (category !== undefined) return { first, address, category };
  const [beforeAddress = '', ...rest] = partsOf(address);
  return rest.length > 0 && isCategory(beforeAddress)
    ? { first, address: rest.join(' · '), category: beforeAddress }
    : { first, address, category: '' };
};

/** The number of a place in the engine's map, with which the page opens its details. */
const hasPlaceId: Test = ({ attribs }) => attribs['data-ludocid'] !== undefined;

/** The buttons beside a place: website, directions, call. */
const isButton: Test = (element) =>
  element.name === 'a' &&
  !has(element, isHeading) &&
  (leadsOut(element) || element.attribs['data-url'] !== undefined || element.attribs.href === '#');

const readPlace = (part: Element, title: string): Draft => {
  const { first, address, category } = describe(otherLines(part, title, isButton));
  const site = find(part, leadsOut);
  const target = site && targetOf(site.attribs.href);
  const number = phoneIn(address);
  const snippet = address.replace(number, '').replace(/·\s*$/, '').trim();
  return {
    title,
    snippet,
    ...target,
    ...ratingIn(first),
    ...(category && { category }),
    ...(number && { phone: number }),
  };
};

/** Hotels link to the travel pages. They are a separate type. */
const isTravel: Test = ({ attribs }) => (attribs.href ?? attribs['data-url'])?.includes('/travel/') === true;

const isPlace: Test = (element) =>
  hasPlaceId(element) && textOf(element) !== '' && !isInside(element, hasPlaceId);

/** The places around these elements. Dialogs have headings, too, and a paid place is an ad. */
const placesAround = (box: Element, markers: Element[]): Draft[] =>
  partsAround(
    box,
    markers.filter((marker) => !isInside(marker, isHidden)),
  ).flatMap(([marker, part]) => {
    if (has(part, isPlaceAd)) return [];
    const title = nameOf(marker);
    // "More places" is a title without other lines.
    return title === '' || otherLines(part, title).length === 0 ? [] : [readPlace(part, title)];
  });

/**
 * The name of a place is a heading. On mobile pages of 2023 it is the first line of a box with the place's
 * id.
 */
export const readLocalPack = (box: Element): Draft[] => {
  if (!leadsToMaps(box) || has(box, isTravel)) return [];
  const byName = placesAround(box, findAll(box, isCardTitle));
  return byName.length > 0 ? byName : placesAround(box, findAll(box, isPlace));
};
