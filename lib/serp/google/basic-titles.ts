/**
 * Finds the titles of web results on older pages for browsers without scripts, whose links contain no `h3`:
 * until 2019 the title heading contains the link; from 2019 to 2020, and for simple phones until today, the
 * link has two parts, the title and the address.
 */

import { type Element, isTag } from 'domhandler';
import { ancestors, findAll, has, hasId, isInside, isLink, isNamed, type Test } from '../dom.ts';
import { hostOf, isSameSite } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { forgetFound, identifiedIn, namedIn } from '../page-cache.ts';
import { readWithin } from '../steps.ts';
import { isWrapped } from './basic.ts';
import { isColumn, isH3, isHeading, isInert, isPicture } from './elements.ts';
import { leadsOut, targetIn } from './link.ts';

const isResult: Test = (element) => isWrapped(element) && leadsOut(element);

const hostIn = (link: Element): string => hostOf(targetIn(link)?.url ?? '');

const isTable = isNamed('table');

/** A heading that contains one link, which leads out, and the link. */
type Headed = { heading: Element; link: Element };

const headedIn = (headings: readonly Element[]): Headed[] =>
  headings.flatMap((heading) => {
    const [link, ...others] = findAll(heading, isLink);
    const isOne = link && others.length === 0 && isResult(link) && !isInside(link, isInert);
    return isOne ? [{ heading, link }] : [];
  });

/**
 * Whether a heading is in a table, and the box around the table has an earlier one for the same site: a link
 * of a result to another page of its site.
 */
const isSitelink = ({ heading, link }: Headed, all: Headed[]): boolean => {
  const table = ancestors(heading).find(isTable);
  const first = table && all.find((other) => isInside(other.heading, (up) => up === table.parent));
  return first !== undefined && first.heading !== heading && hostIn(first.link) === hostIn(link);
};

/** Exchanges a heading and the link in it, so that the link contains the heading, as on later pages. */
const exchange = ({ heading, link }: Headed): void => {
  [heading.name, link.name] = [link.name, heading.name];
  [heading.attribs, link.attribs] = [link.attribs, heading.attribs];
  heading.marks = link.marks = undefined;
};

/** The parts of a link with text. If there is only one, the parts of it, or it alone. */
const partsOf = (element: Element): Element[] => {
  const parts = element.children.filter((child): child is Element => isTag(child) && textOf(child) !== '');
  const [only] = parts;
  if (parts.length !== 1 || !only) return parts;
  const inner = partsOf(only);
  return inner.length > 1 ? inner : parts;
};

/** The title of a link and, below it, the address; undefined if the link shows nothing but a title. */
type Parts = { title: Element; address: Element | undefined };

/** The parts of a link that has a title, at most one other part, and no picture. */
const titleAndAddress = (link: Element): Parts | undefined => {
  const [title, address, ...others] = partsOf(link);
  return !title || others.length > 0 || has(link, isPicture) ? undefined : { title, address };
};

/** Whether the address of a link is that of the site that it leads to. */
const showsItsSite = (link: Element, { address }: Parts): boolean =>
  isResult(link) && address !== undefined && isSameSite(targetIn(link)?.url ?? '', textOf(address));

const maxBoxes = 8;

/**
 * Whether the smallest box that begins with another text than the link has no other such link: the link is
 * the source of an answer. The box of a result begins with its link.
 */
const isOfAnswer = (link: Element, results: Map<Element, Parts>): boolean => {
  const start = textOf(link);
  const box = ancestors(link)
    .slice(0, maxBoxes)
    .find((around) => !start.startsWith(linesOf(around)[0] ?? start));
  if (!box || isColumn(box) || box.name === 'body') return false;
  return findAll(box, (element) => results.has(element)).length === 1;
};

/** The classes of a link, and the names of the elements around it. */
const shapeOf = (link: Element): string =>
  [link.attribs.class ?? '', ...ancestors(link).map(({ name }) => name)].join(' ');

const isAnchor = isNamed('a');

/**
 * The parts of the links with a title and an address, and of those with the same shape. A link of this shape
 * that leads nowhere counts too: its title shows that a result is lost.
 */
const partedIn = (elements: readonly Element[]): Parts[] => {
  const links = new Map(
    elements
      .filter((element) => isAnchor(element) && !isInside(element, isInert))
      .flatMap((link): [Element, Parts][] => {
        const parts = titleAndAddress(link);
        return parts ? [[link, parts]] : [];
      }),
  );
  const shown = new Map([...links].filter(([link, parts]) => showsItsSite(link, parts)));
  const results = new Set([...shown.keys()].filter((link) => !isOfAnswer(link, shown)));
  const shapes = new Set([...results].map(shapeOf));
  const isAlike = (link: Element): boolean => !shown.has(link) && shapes.has(shapeOf(link));
  return [...links].flatMap(([link, parts]) => (results.has(link) || isAlike(link) ? [parts] : []));
};

const isColumnOfResults = hasId('rso');

const isTitle: Test = (element) => isH3(element) || isHeading(element);

/** The results by their headings, or else the titles in their links; none if links contain the headings. */
const findTitles = ({ root }: Page): { headed: Headed[]; parted: Parts[] } => {
  const none = { headed: [], parted: [] };
  if (identifiedIn(root).some(isColumnOfResults)) return none;
  const links = namedIn(root, 'a');
  if (links.some((element) => isWrapped(element) && has(element, isTitle))) return none;
  const all = headedIn(namedIn(root, 'h3'));
  if (all.length > 0) return { headed: all.filter((one) => !isSitelink(one, all)), parted: [] };
  return { headed: [], parted: partedIn(links) };
};

/** A page that needs more steps keeps its headings. */
const maxSteps = 200_000;

/**
 * Gives the results of older pages for browsers without scripts the marks of later ones. Changes the tree, so
 * call it before the page is read.
 */
export const markBasicTitles = (page: Page): void => {
  const found = readWithin(maxSteps, () => findTitles(page));
  found?.headed.forEach(exchange);
  for (const { title, address } of found?.parted ?? []) {
    title.name = 'h3';
    if (address) address.name = 'cite';
  }
  if (found && found.headed.length + found.parted.length > 0) forgetFound();
};
