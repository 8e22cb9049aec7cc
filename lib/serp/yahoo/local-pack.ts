/** Places: a block with links to the engine's search for places, and a name with lines of facts for each place. */

import type { Element } from 'domhandler';
import { ratingIn } from '../amounts.ts';
import { find, findAll, isLink, partsAround, type Test } from '../dom.ts';
import { shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { hasLink } from './elements.ts';
import { leadsOut, leadsToService, targetOfLink } from './link.ts';

const toPlaces = leadsToService('local');

/** A phone number: about ten digits, in groups. */
const phone = /(?:\+|\()?\d[\d().\s/-]{7,}\d/;

/** A link with a text in a list inside the block, beside lines of facts. */
const isName: Test = (element) =>
  isLink(element) && (toPlaces(element) || leadsOut(element)) && textOf(element) !== '';

/** The first name in each item of the lists inside the block. */
const namesIn = once((item: Element): Element[] => {
  const cells = findAll(item, ({ name }) => name === 'li');
  return cells.flatMap((cell) => {
    const name = find(cell, isName);
    return name && linesOf(cell).length >= 3 ? [name] : [];
  });
});

export const hasPlaces: Test = (item) => hasLink(item, toPlaces) && namesIn(item).length > 0;

const isCategory = (text: string): boolean => /\p{L}/u.test(text) && !/\d/.test(text);

const readPlace = (name: Element, part: Element): Draft => {
  const title = textOf(name);
  const rows = linesOf(part).filter((row) => row !== title);
  const rated = rows.find((row) => ratingIn(row).rating !== undefined) ?? '';
  const numbered = rows.find((row) => row !== rated && phone.test(row)) ?? '';
  const number = phone.exec(numbered)?.[0].trim() ?? '';
  const others = rows.filter((row) => row !== rated && row !== number && shownHost(row) === '');
  const address = others.find((row) => /\d/.test(row) && /\p{L}/u.test(row)) ?? '';
  const category =
    rated
      .split('·')
      .map((text) => text.trim())
      .findLast(isCategory) ??
    others.find((row) => row !== address && isCategory(row)) ??
    '';
  const site = find(part, leadsOut);
  const target = site && targetOfLink(site);
  return {
    title,
    snippet: address
      .replace(number, '')
      .replace(/\s*·\s*$/, '')
      .trim(),
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
