/**
 * Cards of related businesses: each one is in a cell of a list, with a link that searches for its name, and
 * with more lines, such as a rating or a category.
 */

import type { Element } from 'domhandler';
import { ratingIn } from '../amounts.ts';
import { findAll, has, hasClass, type Test } from '../dom.ts';
import { linesOf } from '../lines.ts';
import { once } from '../page-cache.ts';
import { isSameQuery } from '../query.ts';
import type { Draft } from '../walker.ts';
import { isItem, isOtherItem, linksIn } from './elements.ts';
import { searchParameters } from './link.ts';
import { isPageLink } from './page-facts.ts';

type Business = { link: Element; title: string; lines: string[] };

/** The name of a business is the text of its link, or the first line of it. */
const businessIn = (cell: Element): Business | undefined => {
  for (const link of linksIn(cell)) {
    const term = isPageLink(link) ? '' : (searchParameters(link)?.get('p') ?? '');
    if (term === '') continue;
    const own = linesOf(link);
    const title = [own.join(' '), own[0] ?? ''].find((text) => text !== '' && isSameQuery(term, text));
    if (title === undefined) continue;
    const beside = linesOf(cell, (element) => element === link);
    const lines = [...own.slice(1), ...beside].filter((line) => !isSameQuery(line, title));
    return lines.some((line) => /\p{L}|\d[.,]\d/u.test(line)) ? { link, title, lines } : undefined;
  }
  return undefined;
};

const isCell: Test = (element) => element.name === 'li' && !isItem(element);

const isPanelClass = hasClass('catKG');

const minBusinesses = 2;

const businessesIn = once((item: Element): Business[] => {
  if (has(item, isPanelClass) || has(item, ({ name }) => name === 'label')) return [];
  const found = findAll(item, isCell).flatMap((cell) => businessIn(cell) ?? []);
  return found.length < minBusinesses ? [] : found;
});

export const hasBusinesses: Test = (item) => isOtherItem(item) && businessesIn(item).length > 0;

export const readBusinesses = (item: Element): Draft[] =>
  businessesIn(item).map(({ title, lines }) => ({
    title,
    snippet: lines.join(' · '),
    ...ratingIn(lines.join(' ')),
  }));
