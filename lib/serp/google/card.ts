/** Cards: what a grouped block consists of, found in a box by their links, titles or pictures. */
import type { Element } from 'domhandler';
import { ancestors, find, findAll, has, isInside, linesOf, type Test, textOf } from '../dom.ts';
import { leadsOut, type Target, targetOf } from './link.ts';
import { isHeading } from './marks.ts';

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

/** A link that has no words of its own is named by its label, and the words stand beside it. */
const isLabelled: Test = ({ attribs }) => Boolean(attribs['aria-label']) && attribs.role !== 'button';

const isCardLink: Test = (link) =>
  leadsOut(link) && (has(link, isCardTitle) || isInside(link, isCardTitle) || isLabelled(link));

const titleOf = (link: Element, box: Element): string => {
  const heading = find(link, isCardTitle) ?? find(box, isCardTitle);
  if (heading) return linesOf(heading)[0] ?? '';
  return linesOf(box)[0] ?? '';
};

export const cardsIn = (box: Element): Card[] => {
  const links = new Map<string, Element>();
  for (const link of findAll(box, isCardLink)) {
    const url = targetOf(link.attribs.href)?.url ?? '';
    const known = links.get(url);
    if (!known || (has(link, isCardTitle) && !has(known, isCardTitle))) links.set(url, link);
  }
  const marks = [...links.values()];
  const parts = partsAround(box, marks);
  return marks.flatMap((link, index) => {
    const part = parts[index] ?? link;
    const target = targetOf(link.attribs.href);
    const title = titleOf(link, part);
    if (!target || title === '') return [];
    return [{ link, box: part, title, target, lines: linesOf(part).filter((line) => line !== title) }];
  });
};

/** `4:05` or `1:02:03`. */
export const durationIn = (lines: string[]): string =>
  lines.find((line) => /^\d{1,2}(?::\d{2}){1,2}$/.test(line)) ?? '';

/** A short line with a number that is no duration and no count of stars: `3 hours ago`, `12 mars 2024`. */
export const dateIn = (lines: string[]): string =>
  lines
    .map((line) => line.replace(/^[·\s]+/, ''))
    .find(
      (line) =>
        /\p{N}/u.test(line) &&
        line.length <= 30 &&
        !/^\d{1,2}(?::\d{2}){1,2}$/.test(line) &&
        /\p{L}|[./-]/u.test(line) &&
        !/[.]\p{L}{2,}/u.test(line),
    ) ?? '';

/** Texts of links to the engine's own pages in a box. */
export const ownLinks = (box: Element): string[] =>
  findAll(
    box,
    ({ name, attribs }) =>
      (name === 'a' || attribs['data-url'] !== undefined) && !targetOf(attribs.href ?? ''),
  ).flatMap(({ attribs }) => [attribs.href ?? '', attribs['data-url'] ?? '']);

export { textOf };
