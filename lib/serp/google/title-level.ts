/** Finds the titles of web results on pages whose headings have another level than the one that is known. */

import type { Element } from 'domhandler';
import { find, has, isInside, isLink, isNamed, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { forgetFound, namedIn } from '../page-cache.ts';
import { readWithin } from '../steps.ts';
import { isWrapped } from './basic.ts';
import { isAddress, isHeading, isInert } from './elements.ts';
import { leadsOut } from './link.ts';

const isOtherLevel = isNamed('h1', 'h2', 'h4', 'h5', 'h6');

/**
 * The heading of another level in a link that has the mark of an address, as results have on desktop, or
 * leads out through the engine, as on pages for browsers without scripts.
 */
const headingIn = (link: Element): Element | undefined =>
  (isWrapped(link) || has(link, isAddress)) && !has(link, isHeading) ? find(link, isOtherLevel) : undefined;

const isUnread: Test = (link) => isInside(link, isInert);

/**
 * The titles, if no link has a heading of the third level: the headings in links with an address. They must
 * all have one level, and several texts: the caption of the list, which a link may contain, is the same in
 * all.
 */
const findTitles = ({ root }: Page): Element[] => {
  if (namedIn(root, 'h3').some((element) => isInside(element, isLink))) return [];
  const links = namedIn(root, 'a').filter((element) => leadsOut(element) && !isUnread(element));
  const headings = links.flatMap((link) => headingIn(link) ?? []);
  const levels = new Set(headings.map(({ name }) => name));
  const texts = new Set(headings.map((heading) => textOf(heading)));
  return levels.size !== 1 || (texts.size === 1 && headings.length > 1) ? [] : headings;
};

/** A page that needs more steps keeps its headings. */
const maxSteps = 200_000;

/**
 * Gives the third level to the titles of another one. Changes the tree, so call it before the page is read.
 */
export const levelTitles = (page: Page): void => {
  const titles = readWithin(maxSteps, () => findTitles(page)) ?? [];
  for (const title of titles) title.name = 'h3';
  if (titles.length > 0) forgetFound();
};
