/**
 * Places: a block with links to the engine's search for places, and a name with lines of facts for each
 * place.
 */

import type { Element } from 'domhandler';
import { find, findAll, isLink, partsAround, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import { readPlace } from '../list/local-pack.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { hasLink } from './elements.ts';
import { leadsOut, leadsToService, targetOfLink } from './link.ts';

const toPlaces = leadsToService('local');

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

const placeOf = (name: Element, part: Element): Draft => {
  const title = textOf(name);
  const site = find(part, leadsOut);
  return readPlace({
    title,
    rows: linesOf(part).filter((row) => row !== title),
    isAddress: (row) => /\d/.test(row) && /\p{L}/u.test(row),
    target: site && targetOfLink(site),
  });
};

export const readPlaces = (item: Element): Draft[] =>
  partsAround(item, namesIn(item)).map(([name, part]) => placeOf(name, part));
