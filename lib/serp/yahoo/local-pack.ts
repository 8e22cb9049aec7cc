/**
 * Places: a block with links to the engine's search for places, and a name with lines of facts for each
 * place.
 */

import type { Element } from 'domhandler';
import { find, findAll, isLink, partsAround, type Test } from '../dom.ts';
import { leavesOf, linesOf, textOf } from '../lines.ts';
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
    return name && (linesOf(cell).length >= 3 || leavesOf(cell).length >= 3) ? [name] : [];
  });
});

export const hasPlaces: Test = (item) => hasLink(item, toPlaces) && namesIn(item).length > 0;

const isHeading: Test = ({ name, attribs }) => /^h[1-6]$/.test(name) || attribs.role === 'heading';

/** A link around the whole card has the name as a heading, or as its first part. */
const nameOf = (link: Element): string => {
  const heading = find(link, isHeading);
  return heading
    ? textOf(heading)
    : ((linesOf(link).length > 1 ? linesOf(link) : leavesOf(link))[0] ?? textOf(link));
};

/**
 * The lines of facts. If the whole card is one line, its parts; a number in brackets belongs to the part
 * before.
 */
const rowsOf = (part: Element, title: string): string[] => {
  const lines = linesOf(part);
  if (lines.includes(title)) return lines.filter((line) => line !== title);
  const rows: string[] = [];
  for (const leaf of leavesOf(part).flatMap((text) => text.split('·').map((one) => one.trim()))) {
    if (leaf.startsWith('(') && !/\p{Nd}{3}\)/u.test(leaf)) rows.push(`${rows.pop() ?? ''} ${leaf}`);
    else if (leaf !== '' && leaf !== title) rows.push(leaf);
  }
  return rows;
};

const placeOf = (name: Element, part: Element): Draft => {
  const title = nameOf(name);
  const site = find(part, leadsOut);
  return readPlace({
    title,
    rows: rowsOf(part, title),
    isAddress: (row) => /\p{Nd}/u.test(row) && /\p{L}/u.test(row),
    target: site && targetOfLink(site),
  });
};

export const readPlaces = (item: Element): Draft[] =>
  partsAround(item, namesIn(item)).map(([name, part]) => placeOf(name, part));
