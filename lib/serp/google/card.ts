/** Cards: what a grouped block consists of, found in a box by their links, titles or pictures. */
import type { Element } from 'domhandler';
import { durationIn } from '../dates.ts';
import { ancestors, find, findAll, has, isInside, linesOf, once, type Test, textOf } from '../dom.ts';
import { isHeading, isPicture } from './elements.ts';
import { leadsOut, type Target, targetOf } from './link.ts';

export type Card = {
  link: Element;
  box: Element;
  title: string;
  target: Target;
  /** The card's own lines without the title. */
  lines: string[];
};

/** Headings under the block's own caption. */
export const isCardTitle: Test = (element) =>
  isHeading(element) && (element.attribs['aria-level'] ?? '2') !== '2';

/** For each mark the widest part of `box` that holds no other. */
export const partsAround = (box: Element, marks: Element[]): Element[] => {
  const counts = new Map<Element, number>();
  const inBox = (mark: Element): Element[] => {
    const up = ancestors(mark);
    return [mark, ...up.slice(0, Math.max(0, up.indexOf(box)))];
  };
  for (const mark of marks) for (const part of inBox(mark)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return marks.map((mark) => inBox(mark).findLast((part) => counts.get(part) === 1) ?? mark);
};

/** A link without words of its own, laid over a picture: a label or the lines beside it name it. */
const isOverlay: Test = (link) =>
  (link.attribs['aria-label'] !== undefined ||
    link.attribs['aria-labelledby'] !== undefined ||
    has(link, isPicture)) &&
  !link.attribs.href?.includes(':~:');

const isCardLink: Test = (link) =>
  leadsOut(link) && (has(link, isCardTitle) || isInside(link, isCardTitle) || isOverlay(link));

/** A heading may hold the title and lines about it: the first line is the title. */
const firstLine = (element: Element): string => linesOf(element)[0] ?? '';

const titleOf = (link: Element, box: Element): string => {
  const heading = find(link, isCardTitle) ?? find(box, isCardTitle);
  if (heading) return firstLine(heading);
  const lines = linesOf(box).filter((line) => durationIn([line]) === '');
  return lines[0] ?? link.attribs['aria-label'] ?? '';
};

/** Where two links of a box lead to one address, the one with the title stands for both. */
const distinct = (links: Element[]): Element[] => {
  const byUrl = new Map<string, Element>();
  for (const link of links) {
    const url = targetOf(link.attribs.href)?.url ?? '';
    const known = byUrl.get(url);
    if (!known || (has(link, isCardTitle) && !has(known, isCardTitle))) byUrl.set(url, link);
  }
  return [...byUrl.values()];
};

export const cardsIn = once((box: Element): Card[] => {
  const links = findAll(box, isCardLink);
  // Where some cards have titles, links without are parts of theirs: chapters of a video, the site's icon.
  const titled = links.filter((link) => has(link, isCardTitle));
  const marks = distinct(titled.length > 0 ? titled : links);
  const parts = partsAround(box, marks);
  return marks.flatMap((link, index) => {
    const part = parts[index] ?? link;
    const target = targetOf(link.attribs.href);
    const title = titleOf(link, part);
    if (!target || title === '') return [];
    return [{ link, box: part, title, target, lines: linesOf(part).filter((line) => line !== title) }];
  });
});

/** Addresses that lead from a box to the engine's own pages. */
const ownLinks = once((box: Element): string[] =>
  findAll(box, ({ name, attribs }) => name === 'a' || attribs['data-url'] !== undefined)
    .flatMap(({ attribs }) => [attribs.href, attribs['data-url']])
    .filter((href) => href !== undefined)
    .filter((href) => targetOf(href) === null),
);

/** Whether a box links to pages of the engine of this kind: the block's "more". */
export const leadsTo =
  (pattern: RegExp) =>
  (box: Element): boolean =>
    ownLinks(box).some((href) => pattern.test(href));

export const otherLines = (part: Element, title: string, leaveOut?: Test): string[] =>
  linesOf(part, leaveOut).filter((line) => line !== title);

export const nameOf = (element: Element): string => firstLine(element) || textOf(element);
