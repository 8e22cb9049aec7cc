/** Finds the cards of a grouped block by their links, titles or pictures. */

import type { Element } from 'domhandler';
import { dateIn } from '../dates.ts';
import { find, findAll, has, isInside, partsAround, type Test } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { once } from '../page-cache.ts';
import { spend } from '../steps.ts';
import { isHeading, isOpened, isPicture } from './elements.ts';
import { leadsOut, targetIn, targetOf } from './link.ts';

export type Card = {
  link: Element;
  box: Element;
  title: string;
  target: Target;
  /** The card's own lines without the title. */
  lines: string[];
  /** The lines above the title; the others follow it. */
  above: string[];
};

/** Headings of a lower level than the block's own caption. */
export const isCardTitle: Test = (element) =>
  isHeading(element) && (element.attribs['aria-level'] ?? '2') !== '2';

/** The level of a heading, on an element without the role. */
const hasLevel: Test = ({ attribs }) => attribs['aria-level'] !== undefined;

/** A link over a picture, without text in it. Its name is its label, or the lines beside it. */
const isOverlay: Test = (link) =>
  (link.attribs['aria-label'] !== undefined ||
    link.attribs['aria-labelledby'] !== undefined ||
    has(link, isPicture)) &&
  !link.attribs.href?.includes(':~:');

/** A link in a part that opens when the user clicks its heading belongs to the heading, not to the block. */
const isCardLink: Test = (link) =>
  leadsOut(link) &&
  (has(link, isCardTitle) || isInside(link, isCardTitle) || isOverlay(link)) &&
  !isInside(link, isOpened);

/** The first line of an element. In a heading it is the title; other lines may follow. */
const firstLine = (element: Element): string => linesOf(element)[0] ?? '';

/** The length of a video, such as `4:05`, in the digits and with the sign of any language (`4.05`). */
const isLength = (line: string): boolean => /^\p{Nd}{1,3}(?:[:.٫]\p{Nd}{2}){1,2}$/u.test(line);

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Whether a line is the host or the name of the site that the card leads to, alone or as in `Site · channel`.
 * The site of a hidden link is unknown: there, one word before a dot in the middle is its name.
 */
export const isSource = (line: string, { url, url_resolution }: Target): boolean => {
  if (url_resolution === 'opaque')
    return shownHost(line) === line.toLowerCase() || /^\S+\s?·\s?\S/.test(line);
  const host = hostOf(url);
  const name = letters(line.split('·', 1)[0] ?? '');
  return name !== '' && (name === letters(host) || host.split('.').some((label) => letters(label) === name));
};

/** A longer line is an abstract, if the card has another line for its title. */
const maxTitleLength = 160;

/** The lines of which one can be the title: no duration, no source, no abstract beside a shorter line. */
const titlesIn = (lines: string[], target: Target): string[] => {
  const titles = lines.filter((line) => !isLength(line) && !isSource(line, target));
  const short = titles.filter((line) => line.length <= maxTitleLength && /\p{L}/u.test(line));
  return short.length > 0 ? short : titles;
};

/** The label of a link begins with the title of its card. */
const labelled = (lines: string[], { attribs }: Element): string | undefined => {
  const label = attribs['aria-label'];
  return label === undefined ? undefined : lines.find((line) => label.startsWith(line));
};

const longest = (lines: string[]): string | undefined =>
  lines.toSorted((one, other) => other.length - one.length)[0];

/**
 * The title in lines without a heading: the first one. In a story the source may precede it, and the date
 * follows it, so there the title is the longest line above the date.
 */
const firstTitle = (lines: string[], isStory: boolean): string | undefined => {
  const date = isStory ? dateIn(lines) : '';
  const at = date === '' ? -1 : lines.findIndex((line) => line.includes(date));
  return longest(lines.slice(0, Math.max(at, 0))) ?? lines[0];
};

/**
 * `lines` are those of the box. A duration is never the title, nor is a source, except for cards of shops and
 * brands: their heading is the name of the site, and they have neither a date nor a duration.
 */
const titleOf = (
  link: Element,
  box: Element,
  target: Target,
  lines: string[],
  labels: ReadonlySet<string>,
): string => {
  const heading = find(link, isCardTitle) ?? find(box, isCardTitle) ?? find(link, hasLevel);
  const headed = heading ? linesOf(heading).filter((line) => !isLength(line)) : [];
  const inHeading = titlesIn(headed, target)[0];
  if (inHeading !== undefined) return inHeading;
  const hasLength = lines.some(isLength);
  if (headed[0] !== undefined && !hasLength && dateIn(lines) === '') return headed[0];
  const titles = titlesIn(
    lines.filter((line) => !labels.has(line)),
    target,
  );
  return labelled(titles, link) ?? firstTitle(titles, !hasLength) ?? link.attribs['aria-label'] ?? '';
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

const secondsOf = (length: string): number =>
  length.split(/\D/).reduce((seconds, part) => 60 * seconds + Number(part), 0);

/**
 * A chapter of a video says at which second it starts (`data-time`), or it starts at the time that it shows.
 * The first one starts at 0:00, which is the length of no video.
 */
const isChapter: Test = (link) => {
  if (/^\d+$/.test(link.attribs['data-time'] ?? '')) return true;
  const shown = linesOf(link).find(isLength);
  const start = /[#?&](?:t|time_continue)=(\d+)/.exec(link.attribs.href ?? '')?.[1];
  return shown !== undefined && (secondsOf(shown) === 0 || secondsOf(shown) === Number(start ?? -1));
};

const isHiddenLink: Test = (link) => targetIn(link)?.url_resolution === 'opaque';

/**
 * The links that lead to no part of a video. The target of a hidden link does not show its time. Beside a
 * chapter, those with a length are chapters too.
 */
export const withoutChapters = (links: Element[]): Element[] => {
  const others = links.filter((link) => !isChapter(link));
  if (others.length === links.length) return links;
  return others.filter((link) => !isHiddenLink(link) || !linesOf(link).some(isLength));
};

/** The links of a box that are cards: no card is without one. */
export const cardLinksIn = once((box: Element): Element[] => {
  const links = findAll(box, isCardLink);
  // If some links have titles, the links without one are parts of those cards: chapters of a video, the icon
  // of the site.
  const titled = links.filter((link) => has(link, isCardTitle));
  if (titled.length > 0) return distinct(titled);
  const cards = links.filter((link) => !isChapter(link));
  // Beside the first chapter, hidden links are the other chapters.
  return cards.length < links.length && cards.every(isHiddenLink) ? [] : distinct(cards);
});

const minLabelled = 3;

/** The lines that more than half of the cards have: labels, such as `Question`. */
const labelsOf = (parts: Element[]): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  for (const part of parts)
    for (const line of new Set(linesOf(part))) counts.set(line, (counts.get(line) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count >= minLabelled && count * 2 > parts.length);
  return new Set(repeated.map(([line]) => line));
};

export const cardsIn = once((box: Element): Card[] => {
  const parts = partsAround(box, cardLinksIn(box));
  const labels = labelsOf(parts.map(([, part]) => part));
  return parts.flatMap(([link, part]) => {
    const target = targetIn(link);
    const lines = linesOf(part);
    const title = target ? titleOf(link, part, target, lines, labels) : '';
    if (!target || title === '') return [];
    const own = lines.filter((line) => line !== title);
    return [{ link, box: part, title, target, lines: own, above: lines.slice(0, lines.indexOf(title)) }];
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

/**
 * Whether a box contains a link to the engine's own pages that matches the pattern, such as the "more" link
 * of a block.
 */
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
