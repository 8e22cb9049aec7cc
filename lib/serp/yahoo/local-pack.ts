/**
 * Places: a block with links to the engine's search for places, and a name with lines of facts for each
 * place.
 */

import type { Element } from 'domhandler';
import { find, findAll, has, hasClass, isLink, partsAround, type Test } from '../dom.ts';
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

const divided = (row: string): string[] => row.split('·').map((text) => text.trim());

const partsOf = (link: Element): string[] => (linesOf(link).length > 1 ? linesOf(link) : leavesOf(link));

/**
 * The mark of a place on the map, a letter or a number before its name; empty if a card does not begin with
 * one.
 */
const markOf = (link: Element): string => {
  const [first = '', second = ''] = partsOf(link);
  return second !== '' && /^(?:\p{Lu}|\p{Nd}{1,2})$/u.test(first) ? first : '';
};

/** A link around the whole card has the name as a heading, or as its first part. */
const nameOf = (link: Element, mark: string): string => {
  const heading = find(link, isHeading);
  const [first, second] = partsOf(link);
  return heading ? textOf(heading) : ((mark === '' ? first : second) ?? textOf(link));
};

/**
 * The lines of facts. If the whole card is one line, its parts; a number in brackets belongs to the part
 * before.
 */
const rowsOf = (part: Element, title: string): string[] => {
  const lines = linesOf(part);
  if (lines.includes(title)) return lines.filter((line) => line !== title);
  const rows: string[] = [];
  for (const leaf of leavesOf(part).flatMap(divided)) {
    if (leaf.startsWith('(') && !/\p{Nd}{3}\)/u.test(leaf)) rows.push(`${rows.pop() ?? ''} ${leaf}`);
    else if (leaf !== '' && leaf !== title) rows.push(leaf);
  }
  return rows;
};

const isAddressClass = hasClass('addr');

/** The address of some cards has a class. Else it is the first row with a number and a word. */
const addressTest = (part: Element): ((row: string) => boolean) => {
  const marked = find(part, isAddressClass);
  const address = marked ? textOf(marked) : '';
  return address === ''
    ? (row) => /\p{Nd}/u.test(row) && /\p{L}/u.test(row)
    : (row) => row.startsWith(address);
};

const placeOf = (name: Element, part: Element, mark: string): Draft => {
  const title = nameOf(name, mark);
  const site = find(part, leadsOut);
  const isAddress = addressTest(part);
  const rows = rowsOf(part, title).filter((row) => row !== mark);
  return readPlace({
    title,
    // Without its address, a row of such a card is a category with a price, a distance or the opening hours.
    rows: has(part, isAddressClass) ? rows.flatMap((row) => (isAddress(row) ? [row] : divided(row))) : rows,
    isAddress,
    target: site && targetOfLink(site),
  });
};

/** All cards have a mark of their own, or none has: a place may have a letter as its name. */
export const readPlaces = (item: Element): Draft[] => {
  const names = namesIn(item);
  const marks = names.map(markOf);
  const isMarked = !marks.includes('') && new Set(marks).size === marks.length;
  return partsAround(item, names).map(([name, part]) => placeOf(name, part, isMarked ? markOf(name) : ''));
};
