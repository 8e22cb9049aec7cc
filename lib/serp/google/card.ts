/** Finds the cards of a grouped block by their links, titles or pictures. */
import type { Element } from 'domhandler';
import { durationIn } from '../dates.ts';
import { ancestors, find, findAll, has, isInside, linesOf, once, spend, type Test, textOf } from '../dom.ts';
import { isHeading, isPicture } from './elements.ts';
import { leadsOut, type Target, targetIn, targetOf } from './link.ts';

export type Card = {
  link: Element;
  box: Element;
  title: string;
  target: Target;
  /** The card's own lines without the title. */
  lines: string[];
};

/** Headings of a lower level than the block's own caption. */
export const isCardTitle: Test = (element) =>
  isHeading(element) && (element.attribs['aria-level'] ?? '2') !== '2';

/** For each mark, the largest part of `box` that contains no other mark. */
export const partsAround = (box: Element, marks: Element[]): Element[] => {
  const counts = new Map<Element, number>();
  const inBox = (mark: Element): Element[] => {
    const up = ancestors(mark);
    return [mark, ...up.slice(0, Math.max(0, up.indexOf(box)))];
  };
  for (const mark of marks) for (const part of inBox(mark)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return marks.map((mark) => inBox(mark).findLast((part) => counts.get(part) === 1) ?? mark);
};

/** A link over a picture, without text of its own. Its name is its label, or the lines beside it. */
const isOverlay: Test = (link) =>
  (link.attribs['aria-label'] !== undefined ||
    link.attribs['aria-labelledby'] !== undefined ||
    has(link, isPicture)) &&
  !link.attribs.href?.includes(':~:');

const isCardLink: Test = (link) =>
  leadsOut(link) && (has(link, isCardTitle) || isInside(link, isCardTitle) || isOverlay(link));

/** The first line of an element. In a heading it is the title; other lines may follow. */
const firstLine = (element: Element): string => linesOf(element)[0] ?? '';

/** `lines` are those of the box. */
const titleOf = (link: Element, box: Element, lines: string[]): string => {
  const heading = find(link, isCardTitle) ?? find(box, isCardTitle);
  if (heading) return firstLine(heading);
  return lines.find((line) => durationIn([line]) === '') ?? link.attribs['aria-label'] ?? '';
};

/** Keeps one link per URL, the one with a title if there is one. */
const distinct = (links: Element[]): Element[] => {
  const byUrl = new Map<string, Element>();
  for (const link of links) {
    const url = targetIn(link)?.url ?? '';
    const known = byUrl.get(url);
    if (!known || (has(link, isCardTitle) && !has(known, isCardTitle))) byUrl.set(url, link);
  }
  return [...byUrl.values()];
};

/** The links of a box that are cards: no card is without one. */
export const cardLinksIn = once((box: Element): Element[] => {
  const links = findAll(box, isCardLink);
  // If some links have titles, the links without one are parts of those cards: chapters of a video, the icon of the site.
  const titled = links.filter((link) => has(link, isCardTitle));
  return distinct(titled.length > 0 ? titled : links);
});

export const cardsIn = once((box: Element): Card[] => {
  const marks = cardLinksIn(box);
  const parts = partsAround(box, marks);
  return marks.flatMap((link, index) => {
    const part = parts[index] ?? link;
    const target = targetIn(link);
    const lines = linesOf(part);
    const title = titleOf(link, part, lines);
    if (!target || title === '') return [];
    return [{ link, box: part, title, target, lines: lines.filter((line) => line !== title) }];
  });
});

/** The links of an element to the engine's own pages. */
const ownLinksOf = once(({ attribs }: Element): string[] =>
  [attribs.href, attribs['data-url']]
    .filter((href) => href !== undefined)
    .filter((href) => targetOf(href) === null),
);

/** The elements of a box with links to the engine's own pages. */
const ownLinksIn = once((box: Element): Element[] =>
  findAll(
    box,
    (element) =>
      (element.name === 'a' || element.attribs['data-url'] !== undefined) && ownLinksOf(element).length > 0,
  ),
);

/** Whether a box contains a link to the engine's own pages that matches the pattern, such as the "more" link of a block. */
export const leadsTo = (pattern: RegExp): ((box: Element) => boolean) => {
  const matches = once((element: Element) => ownLinksOf(element).some((href) => pattern.test(href)));
  return (box) => {
    const links = ownLinksIn(box);
    spend(links.length);
    return links.some(matches);
  };
};

export const otherLines = (part: Element, title: string, leaveOut?: Test): string[] =>
  linesOf(part, leaveOut).filter((line) => line !== title);

export const nameOf = (element: Element): string => firstLine(element) || textOf(element);
