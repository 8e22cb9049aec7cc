/**
 * Pages for browsers without scripts. They have no ids, no roles and no data attributes. Links go through the engine (`/url?q=`), titles are
 * `h3`, and the targets of a block's links show its type. Seen from 2022 to July 2026.
 */
import type { Element } from 'domhandler';
import { ratingIn } from '../amounts.ts';
import { ancestors, find, findAll, has, isInside, linesOf, once, type Test, textOf } from '../dom.ts';
import type { Page } from '../page.ts';
import type { Draft } from '../walker.ts';
import { otherLines } from './card.ts';
import { isH3, isHeading, isLink } from './elements.ts';
import { leadsOut, targetOf } from './link.ts';
import { searchedBy, squeezed } from './related-search.ts';

const isWrapped: Test = ({ name, attribs }) =>
  name === 'a' && /^(?:https?:\/\/(?:www\.)?google\.[a-z.]+)?\/url\?/.test(attribs.href ?? '');

export const isBasicTitle: Test = (element) => isWrapped(element) && has(element, isH3);

/** The link of an ad names the site for the browser to connect to in advance. Nothing else marks an ad. */
export const isBasicAd: Test = (element) =>
  element.attribs['data-pcu'] !== undefined && has(element, isHeading);

/** The link to more results for a question. The question is the first line of the box around the link and the answer. */
export const isMoreForQuestion: Test = (element) => isLink(element) && questionBox(element) !== undefined;

const maxAncestors = 8;

/** The letters of the first line of a box with several lines; empty for other boxes. */
const firstOfLines = once((box: Element): string => {
  const [first = '', ...others] = linesOf(box);
  return others.length > 0 ? squeezed(first) : '';
});

const questionBox = once((link: Element): Element | undefined => {
  const question = squeezed(searchedBy(link.attribs.href ?? ''));
  if (question === '' || question === squeezed(textOf(link))) return undefined;
  return ancestors(link)
    .slice(0, maxAncestors)
    .find((box) => firstOfLines(box) === question);
});

export const readBasicQuestion = (_: Element, __: Page, link: Element): Draft[] => {
  const box = questionBox(link);
  if (!box) return [];
  const [title = '', snippet = ''] = linesOf(box);
  const source = find(box, leadsOut);
  const target = source && targetOf(source.attribs.href);
  return [{ title, snippet, breadcrumb: (source && linesOf(source)[1]) ?? '', ...target }];
};

/** The title of a place is inside a link with the id of the place. */
const isPlaceLink = once(({ attribs }: Element) => /[?&]ludocid=/.test(attribs.href ?? ''));

const isPlaceTitle: Test = (element) => isH3(element) && isInside(element, isPlaceLink);

export const readBasicPlaces = (box: Element): Draft[] =>
  findAll(box, isPlaceTitle).map((heading) => {
    const title = textOf(heading);
    const link = ancestors(heading).find(isLink) ?? heading;
    const line = otherLines(link, title).join(' ');
    const snippet = /\)\s*([^·].*)$/.exec(line)?.[1] ?? '';
    return { title, snippet, ...ratingIn(line) };
  });

/** Links from a fact to an entity have the entity's key. */
const isEntityLink: Test = once(
  ({ name, attribs }: Element) => name === 'a' && /[?&](?:stick|si)=/.test(attribs.href ?? ''),
);

/** The title of a panel is not a link. */
export const isInLink: Test = (element) => isInside(element, isLink);

const factsIn = (box: Element): { label: string; value: string }[] =>
  linesOf(box).flatMap((line) => {
    const [, label, value] = /^([^:：]{2,40})[:：]\s*(\S.*)$/.exec(line) ?? [];
    return label && value ? [{ label, value }] : [];
  });

const minFacts = 2;

/** A panel has facts below its title that link to entities. */
export const readBasicPanel = (box: Element, _: Page, heading: Element): Draft[] => {
  if (!has(box, isEntityLink)) return [];
  const facts = factsIn(box);
  if (facts.length < minFacts) return [];
  const title = textOf(heading);
  const [subtitle = ''] = otherLines(box, title);
  return [{ title, ...(subtitle && { subtitle }), facts }];
};
