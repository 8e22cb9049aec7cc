/**
 * Grouped blocks: news and pictures. The block's own links show the kind: they lead to the engine's search
 * for news or for pictures.
 */

import type { Element } from 'domhandler';
import { dateIn } from '../dates.ts';
import { find, hasClass, isInside, partsAround, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import { firstOfEach } from '../list/elements.ts';
import { longest, widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { isCite, isOtherItem, isRight, leadsTo, partsOf, urlOf } from './elements.ts';
import { leadsOut, ownPageOf, ownPathOf, targetOfLink } from './link.ts';

const headsTo =
  (path: RegExp): Test =>
  (item) =>
    isOtherItem(item) && !isInside(item, isRight) && leadsTo(path)(item);

const isHeadline = hasClass('na_t', 'na_cal_title');

/** A story is a link out of the engine with a headline: marked, or its longest line. */
const markedHeadline = (link: Element): string => {
  const marked = find(link, isHeadline);
  return (marked && textOf(marked)) || (link.attribs.titletext?.trim() ?? '');
};

const headlineOf = (link: Element): string => markedHeadline(link) || longest(linesOf(link));

/** A headline that is not marked is longer than the name of a publisher. */
const minHeadlineLength = 15;

const hasHeadline = (link: Element): boolean =>
  markedHeadline(link) !== '' || widthOf(longest(linesOf(link))) >= minHeadlineLength;

const storiesIn = (item: Element): Element[] =>
  firstOfEach(
    partsOf(item).links.filter((link) => leadsOut(link) && hasHeadline(link)),
    urlOf,
  );

const toNews = headsTo(/^\/news\//);

export const isStories: Test = (element) => toNews(element) && storiesIn(element).length > 0;

export const readStories = (item: Element): Draft[] =>
  partsAround(item, storiesIn(item)).flatMap(([link, part]) => {
    const target = targetOfLink(link);
    if (!target) return [];
    const title = headlineOf(link);
    const publisher = find(link, (element) => isCite(element)) ?? find(part, isCite);
    const source =
      publisher?.attribs.title ||
      find(part, ({ attribs }) => attribs.href !== undefined && attribs['aria-label'] !== undefined)?.attribs[
        'aria-label'
      ] ||
      '';
    const date = dateIn(
      linesOf(link)
        .filter((line) => line !== title)
        .map((line) => line.replace(/^·\s*/, '')),
    );
    return [{ title, ...target, ...(source && source !== title && { source }), ...(date && { date }) }];
  });

/** A picture of the block links to the engine's viewer, with the picture's id. */
const isPictureLink: Test = (element) => {
  return /^\/images\//.test(ownPathOf(element)) && ownPageOf(element)?.searchParams.has('id') === true;
};

const isPicture: Test = ({ name, attribs }) => name === 'img' || attribs['data-src'] !== undefined;

const toImages = headsTo(/^\/images\//);

export const isImages: Test = (element) =>
  toImages(element) && partsOf(element).headings.length > 0 && picturesIn(element).length >= 2;

/** One box for each picture: each has several links to the viewer. */
const picturesIn = (item: Element): Element[] =>
  firstOfEach(
    partsOf(item).links.filter(isPictureLink),
    (link) => ownPageOf(link)?.searchParams.get('id') ?? '',
  );

export const readImages = (item: Element): Draft[] =>
  partsAround(item, picturesIn(item)).map(([link, part]) => {
    const page = find(part, leadsOut);
    const target = page && targetOfLink(page);
    const own = ownPageOf(link);
    const picture = find(part, isPicture)?.attribs ?? {};
    const source = picture['data-src-hq'] ?? picture['data-src'] ?? picture.src ?? '';
    const host = /^[\w.-]+\.\w+$/;
    const title = linesOf(part).find((line) => !host.test(line)) ?? picture.alt ?? '';
    return {
      title,
      ...(target ?? (own && { url: own.href, url_resolution: 'opaque' as const })),
      ...(/^https?:/.test(source) && { image_url: source }),
    };
  });
