/** Places and hotels: a block with links to maps, and with a title and lines of facts for each place. */

import { type Element, isTag } from 'domhandler';
import { find, has, hasClass, isInside, isLink, isNamed, partsAround, type Test } from '../dom.ts';
import { textIn, textOf } from '../lines.ts';
import { readPlace } from '../list/local-pack.ts';
import type { Draft } from '../walker.ts';
import { isFolded, isH2, isOtherItem, isRight, leadsTo, partsOf } from './elements.ts';
import { leadsOut, ownPathOf, targetOfLink } from './link.ts';

const maps = /^\/(?:maps|local)\b/;

const toMaps = leadsTo(maps);

/** A link to the engine's map, or to its pages of places. */
export const isMapLink: Test = (element) => maps.test(ownPathOf(element));

/** A heading, with the link around it. */
const linkedName = (heading: Element): Element => {
  const { parent } = heading;
  return parent && isTag(parent) && isLink(parent) && textOf(parent) === textOf(heading) ? parent : heading;
};

/**
 * Beside the name of a place there are lines of facts. Beside the caption of a block there is nothing, or the
 * box of the places with their names.
 */
const isName: Test = (element) => {
  if (!isH2(element) || textOf(element) === '') return false;
  const name = linkedName(element);
  return (name.parent?.children ?? []).some(
    (other) =>
      other !== name &&
      isTag(other) &&
      other.name === 'div' &&
      textOf(other) !== '' &&
      !has(other, (part) => isH2(part) && textOf(part) !== ''),
  );
};

const namesIn = (item: Element): Element[] => partsOf(item).headings.filter(isName);

const isPlaceBlock: Test = (element) =>
  isOtherItem(element) && !isInside(element, isRight) && toMaps(element) && namesIn(element).length > 0;

/** A block of hotels has fields for the dates of the stay. */
const hasDates: Test = (item) => partsOf(item).all.some(isNamed('input'));

export const isHotels: Test = (element) => isPlaceBlock(element) && hasDates(element);

export const isPlaces: Test = (element) => isPlaceBlock(element) && !hasDates(element);

const isPhoneLink: Test = ({ attribs }) => attribs.href?.startsWith('tel:') === true;

const isHours = hasClass('opHours');

/** A place has fewer rows than this. */
const maxRows = 12;

/** The rows that follow the name, up to the next name, with the text of each. */
const rowsBeside = (name: Element): string[] => {
  const rows: string[] = [];
  for (let row = linkedName(name).next; row && rows.length < maxRows; row = row.next) {
    if (!isTag(row)) continue;
    if (isH2(row)) break;
    const text = isFolded(row) ? '' : textOf(row, (element) => isFolded(element) || isHours(element));
    if (text !== '') rows.push(text);
  }
  return rows;
};

const placeOf = (name: Element, part: Element): Draft => {
  const site = find(part, leadsOut);
  return readPlace({
    title: textOf(name),
    rows: rowsBeside(name),
    isAddress: (row) => /\p{Nd}/u.test(row),
    target: site && targetOfLink(site),
    called: textIn(part, isPhoneLink),
  });
};

export const readPlaces = (item: Element): Draft[] =>
  partsAround(item, namesIn(item)).map(([name, part]) => placeOf(name, part));
