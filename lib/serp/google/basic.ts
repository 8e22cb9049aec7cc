/**
 * Pages for browsers without scripts. They have no ids, no roles and no data attributes. Links go through the
 * engine (`/url?q=`), titles are `h3`, and the targets of a block's links show its type. Seen from 2022 to
 * July 2026.
 */

import type { Element } from 'domhandler';
import { ratingIn } from '../amounts.ts';
import { ancestors, find, findAll, has, isInside, isLink, type Test } from '../dom.ts';
import { shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { otherLines } from './card.ts';
import { isColumn, isH3, isHeading, isPicture } from './elements.ts';
import { isEntityLink } from './entity-card.ts';
import { leadsOut, targetOf } from './link.ts';
import { searchedBy, searchesItsText, squeezed } from './related-search.ts';

/** A link that leads out through the engine. */
export const isWrapped: Test = ({ name, attribs }) =>
  name === 'a' && /^(?:https?:\/\/(?:www\.)?google\.[a-z.]+)?\/url\?/.test(attribs.href ?? '');

export const isBasicTitle: Test = (element) => isWrapped(element) && has(element, isH3);

/** The link of an ad names the site for the browser to connect to in advance. Nothing else marks an ad. */
export const isBasicAd: Test = (element) =>
  element.attribs['data-pcu'] !== undefined && has(element, isHeading);

/**
 * The link to more results for a question that has no button. The question is the first line of the box
 * around the link and the answer, and is not in the link: a link to another meaning of the query may contain
 * the name of that meaning.
 */
export const isMoreForQuestion: Test = (element) => isLink(element) && questionBox(element) !== undefined;

const maxAncestors = 8;

/** The letters of the first line of a box with several lines; empty for other boxes. */
const firstOfLines = once((box: Element): string => {
  const [first = '', ...others] = linesOf(box);
  return others.length > 0 ? squeezed(first) : '';
});

/** The link of a panel to all pictures searches for its title, too. */
const leadsToOtherTab = ({ attribs }: Element): boolean => /[?&](?:tbm|udm)=/.test(attribs.href ?? '');

const questionBox = once((link: Element): Element | undefined => {
  const question = squeezed(searchedBy(link.attribs.href ?? ''));
  if (
    question === '' ||
    leadsToOtherTab(link) ||
    isEntityLink(link) ||
    squeezed(linesOf(link)[0] ?? '') === question
  )
    return undefined;
  return ancestors(link)
    .slice(0, maxAncestors)
    .find((box) => firstOfLines(box) === question);
});

/** The answer of a row with a button is in a script, unless the scripts of the page have run. */
export const readBasicRow = (box: Element): Draft[] => {
  const [title = '', snippet = ''] = linesOf(box, isLink);
  const source = find(box, leadsOut);
  const target = source && targetOf(source.attribs.href);
  return [{ title, snippet, breadcrumb: (source && linesOf(source)[1]) ?? '', ...target }];
};

export const readBasicQuestion = (_: Element, __: Page, link: Element): Draft[] => {
  const box = questionBox(link);
  return box ? readBasicRow(box) : [];
};

const isQuestionBox = once((box: Element): boolean =>
  has(box, (element) => isLink(element) && questionBox(element) === box),
);

/** A link without a title, but with an address below its first line: the source of an answer. */
const isSource: Test = once((element: Element) => {
  if (!isWrapped(element) || has(element, isH3)) return false;
  const [title = '', address = '', ...others] = linesOf(element);
  return title !== '' && others.length === 0 && shownHost(address) !== '' && leadsOut(element);
});

const countLinks = once(
  (box: Element): number => findAll(box, (element) => isBasicTitle(element) || isSource(element)).length,
);

const firstLineOf = once((box: Element): string => linesOf(box)[0] ?? '');

/**
 * The box of a source with the answer: the smallest that begins with other text. The boxes of results that
 * have lost their titles begin with their link.
 */
const answerBox = once((source: Element): Element | undefined => {
  const boxes = ancestors(source).slice(0, maxAncestors);
  const at = boxes.findIndex((box) => firstLineOf(box) !== firstLineOf(source));
  const box = boxes[at];
  const isAlone = box && countLinks(box) === 1 && !isColumn(box) && box.name !== 'body';
  return isAlone && !boxes.some(isQuestionBox) ? box : undefined;
});

/** The source of a featured snippet. */
export const isAnswerSource: Test = (element) => isSource(element) && answerBox(element) !== undefined;

export const readBasicSnippet = (_: Element, __: Page, source: Element): Draft[] => {
  const box = answerBox(source);
  const target = targetOf(source.attribs.href);
  const snippet = box ? textOf(box, (element) => element === source) : '';
  if (!target || snippet === '') return [];
  const [title = '', breadcrumb = ''] = linesOf(source);
  return [{ title, snippet, breadcrumb, ...target }];
};

/** A term may have the icon of a search. Cards of entities are no terms. */
export const isBasicTerm: Test = (element) => searchesItsText(element) && !isEntityLink(element);

/** A card of a block of news or videos. */
export const isBasicCard: Test = (element) =>
  isWrapped(element) && has(element, isPicture) && !has(element, isH3);

/** The title of a place is inside a link with the id of the place. */
const isPlaceLink = once(({ attribs }: Element) => /[?&]ludocid=/.test(attribs.href ?? ''));

const isPlaceTitle: Test = (element) => isH3(element) && isInside(element, isPlaceLink);

export const readBasicPlaces = (box: Element): Draft[] =>
  findAll(box, isPlaceTitle).map((heading) => {
    const title = textOf(heading);
    const link = ancestors(heading).find(isLink) ?? heading;
    const line = otherLines(link, title).join(' ');
    const snippet = /\) ?([^·].*)$/s.exec(line)?.[1] ?? '';
    return { title, snippet, ...ratingIn(line) };
  });

/** The title of a panel is not a link. */
export const isInLink: Test = (element) => isInside(element, isLink);

const factsIn = (box: Element): { label: string; value: string }[] =>
  linesOf(box).flatMap((line) => {
    const [, label, value] = /^([^:：]{2,40})[:：]\s*(\S.*)$/.exec(line) ?? [];
    return label && value ? [{ label, value }] : [];
  });

const minFacts = 2;

/** A description is a sentence at least. */
const minDescription = 40;

/** The text about an entity, which ends with a link to its source. */
const descriptionIn = (box: Element): { snippet: string; target: Target } | undefined => {
  for (const link of findAll(box, leadsOut)) {
    const own = textOf(link);
    const part = ancestors(link).find((up) => textOf(up) !== own);
    const text = part && linesOf(part).length === 1 ? textOf(part) : '';
    const target = targetOf(link.attribs.href);
    const snippet = own !== '' && text.endsWith(own) ? text.slice(0, -own.length).trim() : '';
    if (target && widthOf(snippet) >= minDescription) return { snippet, target };
  }
  return undefined;
};

const isPictureLink: Test = ({ attribs }) => attribs.href?.startsWith('/imgres?') === true;

/**
 * A panel has facts below its title that link to entities, or pictures and a description with its source.
 */
export const readBasicPanel = (box: Element, _: Page, heading: Element): Draft[] => {
  const found = has(box, isEntityLink) ? factsIn(box) : [];
  const facts = found.length < minFacts ? [] : found;
  const mayBePanel = facts.length > 0 || has(box, isPictureLink);
  const description = mayBePanel ? descriptionIn(box) : undefined;
  if (facts.length === 0 && !description) return [];
  const title = textOf(heading);
  const [subtitle = ''] = otherLines(box, title);
  return [
    {
      title,
      ...(description && { ...description.target, snippet: description.snippet }),
      ...(subtitle && { subtitle }),
      ...(facts.length > 0 && { facts }),
    },
  ];
};
