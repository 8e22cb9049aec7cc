/** Places and hotels: a block with links to maps, and with a title and lines of facts for each place. */

import { type Element, isTag } from 'domhandler';
import { ratingIn } from '../amounts.ts';
import { find, hasClass, isInside, isNamed, partsAround, type Test } from '../dom.ts';
import { shownHost } from '../host.ts';
import { textOf } from '../lines.ts';
import type { Draft } from '../walker.ts';
import { isFolded, isH2, isOtherItem, isRight, leadsTo, partsOf } from './elements.ts';
import { leadsOut, targetOfLink } from './link.ts';

const toMaps = leadsTo(/^\/(?:maps|local)\b/);

/** Nothing is beside the caption of a block. Beside the name of a place there are lines of facts. */
const isName: Test = (element) =>
  isH2(element) &&
  textOf(element) !== '' &&
  (element.parent?.children ?? []).some(
    (other) => other !== element && 'attribs' in other && other.name === 'div' && textOf(other) !== '',
  );

const namesIn = (item: Element): Element[] => partsOf(item).headings.filter(isName);

const isPlaceBlock: Test = (element) =>
  isOtherItem(element) && !isInside(element, isRight) && toMaps(element) && namesIn(element).length > 0;

/** A block of hotels has fields for the dates of the stay. */
const hasDates: Test = (item) => partsOf(item).all.some(isNamed('input'));

export const isHotels: Test = (element) => isPlaceBlock(element) && hasDates(element);

export const isPlaces: Test = (element) => isPlaceBlock(element) && !hasDates(element);

/** A phone number: about ten digits, in groups. */
const phone = /(?:\+|\()?\d[\d().\s/-]{7,}\d/;

const isPhoneLink: Test = ({ attribs }) => attribs.href?.startsWith('tel:') === true;

const isHours = hasClass('opHours');

/** A place has fewer rows than this. */
const maxRows = 12;

/** The rows that follow the name, up to the next name, with the text of each. */
const rowsBeside = (name: Element): string[] => {
  const rows: string[] = [];
  for (let row = name.next; row && rows.length < maxRows; row = row.next) {
    if (!isTag(row)) continue;
    if (isH2(row)) break;
    const text = isFolded(row) ? '' : textOf(row, (element) => isFolded(element) || isHours(element));
    if (text !== '') rows.push(text);
  }
  return rows;
};

const isCategory = (text: string): boolean => /\p{L}/u.test(text) && !/\d/.test(text);

/** A rating with the category, or the category alone, comes before the address with the phone number. */
const readPlace = (name: Element, part: Element): Draft => {
  const rows = rowsBeside(name);
  const rated = rows.find((row) => ratingIn(row).rating !== undefined) ?? '';
  const site = find(part, leadsOut);
  const target = site && targetOfLink(site);
  const called = find(part, isPhoneLink);
  const numbered = rows.find((row) => row !== rated && phone.test(row)) ?? '';
  const number = called ? textOf(called) : (phone.exec(numbered)?.[0].trim() ?? '');
  const others = rows.filter((row) => row !== rated && row !== number && shownHost(row) === '');
  const address = others.find((row) => /\d/.test(row)) ?? '';
  const snippet = address
    .replace(number, '')
    .replace(/\s*·\s*$/, '')
    .trim();
  const category =
    rated
      .split('·')
      .map((text) => text.trim())
      .findLast(isCategory) ??
    others.find((row) => row !== address && isCategory(row)) ??
    '';
  return {
    title: textOf(name),
    snippet,
    ...target,
    ...ratingIn(rated),
    ...(category && { category }),
    ...(number && { phone: number }),
  };
};

export const readPlaces = (item: Element): Draft[] => {
  const names = namesIn(item);
  const parts = partsAround(item, names);
  return names.map((name, index) => readPlace(name, parts[index] ?? name));
};
