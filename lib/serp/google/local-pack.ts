/** Places: a block whose links lead to maps, a title and lines about it for each place. */
import type { Element } from 'domhandler';
import { find, findAll, has, isInside, linesOf, type Test, textOf } from '../dom.ts';
import type { Draft } from '../walker.ts';
import { isCardTitle, leadsTo, nameOf, otherLines, partsAround } from './card.ts';
import { leadsOut, targetOf } from './link.ts';
import { isHeading } from './marks.ts';
import { ratingIn } from './rating.ts';

const toMaps =
  /^(?:https:\/\/www\.google\.[a-z.]+)?\/(?:maps|searchviewer|viewer\/place|localservices)|[?&](?:tbm=lcl|udm=1(?!\d)|rllag=|ludocid=)/;

const leadsToMaps = leadsTo(toMaps);

/** A phone number: digits in groups, ten or so of them. */
const phone = /(?:\+|\()?\d[\d().\s/-]{7,}\d/;

const isRatingLine = (line: string): boolean => ratingIn(line).rating !== undefined;

const categoryOf = (line: string): string =>
  line
    .split('·')
    .map((part) => part.trim())
    .findLast((part) => /\p{L}/u.test(part) && !/\d/.test(part)) ?? '';

/** The line under rating and category; a phone number stands at its end. */
const addressOf = (lines: string[]): string => {
  const at = lines.findIndex(isRatingLine);
  const rest = lines.slice(at + 1).filter((line) => !/^["“„«]/.test(line));
  return rest[0] ?? '';
};

const hasPlaceId: Test = ({ attribs }) => attribs['data-ludocid'] !== undefined;

const readPlace = (part: Element, title: string): Draft => {
  const details = linesOf(part, (element) => element.name === 'a' && !has(element, isHeading)).filter(
    (line) => line !== title,
  );
  const rated = details.find(isRatingLine) ?? details[0] ?? '';
  const address = addressOf(details);
  const site = find(part, leadsOut);
  const target = site && targetOf(site.attribs.href);
  const number = phone.exec(address)?.[0].trim() ?? '';
  const category = categoryOf(rated);
  const snippet = address
    .replace(number, '')
    .replace(/\s*·\s*$/, '')
    .trim();
  return {
    title,
    snippet,
    ...target,
    ...ratingIn(rated),
    ...(category && { category }),
    ...(number && { phone: number }),
  };
};

/** Hotels lead to the travel pages and are a kind of their own. */
const isTravel: Test = ({ attribs }) => /\/travel\//.test(attribs.href ?? attribs['data-url'] ?? '');

const isPlace: Test = (element) =>
  hasPlaceId(element) && textOf(element) !== '' && !isInside(element, hasPlaceId);

const placesAround = (box: Element, marks: Element[]): Draft[] =>
  partsAround(box, marks).flatMap((part, index) => {
    const title = nameOf(marks[index] ?? part);
    // "More places" is a title with nothing to it.
    return title === '' || otherLines(part, title).length === 0 ? [] : [readPlace(part, title)];
  });

/** The name of a place is a heading; on mobile pages of 2023 the first line of a box with the place's id. */
export const readLocalPack = (box: Element): Draft[] => {
  if (!leadsToMaps(box) || has(box, isTravel)) return [];
  const byName = placesAround(box, findAll(box, isCardTitle));
  return byName.length > 0 ? byName : placesAround(box, findAll(box, isPlace));
};
