/**
 * Grouped blocks: news and pictures. The block's own links show the kind: they lead to the engine's search
 * for news or for pictures.
 */

import type { Element } from 'domhandler';
import { dateIn } from '../dates.ts';
import { find, has, isInside, isNamed, partsAround, type Test } from '../dom.ts';
import { leavesOf, linesOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { firstOfEach } from '../list/elements.ts';
import type { Parameters } from '../parameters.ts';
import { longest, widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { hasLink, linksIn, urlOf } from './elements.ts';
import { leadsOut, leadsToService, ownPageOf, targetOfLink } from './link.ts';

const toNews = leadsToService('news');

const isHeadline: Test = ({ name }) => /^h[1-6]$/.test(name);

/** A headline is a heading, or longer than the name of a publisher. */
const minHeadlineLength = 15;

const hasHeadline = (link: Element): boolean =>
  has(link, isHeadline) || isInside(link, isHeadline) || widthOf(longest(linesOf(link))) >= minHeadlineLength;

/** One link for each story: the first one with a headline. */
const storiesIn = (item: Element): Element[] =>
  firstOfEach(
    linksIn(item).filter((link) => leadsOut(link) && hasHeadline(link)),
    urlOf,
  );

export const hasStories: Test = (item) => hasLink(item, toNews) && storiesIn(item).length > 0;

/** The parts of a link, each as long as a headline. All of them may be in one line. */
const longParts = (link: Element): string[] => {
  const lines = linesOf(link);
  return (lines.length > 1 ? lines : leavesOf(link)).filter((text) => widthOf(text) >= minHeadlineLength);
};

/** A name is not longer than this. */
const maxNameLength = 40;

/** The words of a text. Yahoo writes a space for each quotation mark in the text of a picture. */
const wordsOf = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();

/**
 * The part that is the text of the story's picture, too. A picture with the publisher's mark has a name as
 * its text, which is shorter than a headline before it.
 */
const captionIn = (link: Element, parts: string[]): string | undefined => {
  const { alt = '' } = find(link, isNamed('img'))?.attribs ?? {};
  const words = wordsOf(alt);
  const caption = words === '' ? undefined : parts.find((part) => wordsOf(part) === words);
  return caption !== undefined && caption.length >= (parts[0]?.length ?? 0) ? caption : undefined;
};

/**
 * A heading, or the part that the picture has as its text, or the first long part: the abstract follows the
 * headline. If two long parts follow, the first one may be the name of the publisher.
 */
const headlineOf = (link: Element): string => {
  const heading = find(link, isHeadline);
  if (heading) return textOf(heading);
  const parts = longParts(link);
  const caption = captionIn(link, parts);
  if (caption !== undefined) return caption;
  const [first = '', second = '', third] = parts;
  const isName = third !== undefined && first.length <= maxNameLength && second.length > first.length;
  return (isName ? second : first) || longest(linesOf(link));
};

export const readStories = (item: Element): Draft[] =>
  partsAround(item, storiesIn(item)).flatMap(([link, part]) => {
    const target = targetOfLink(link);
    if (!target) return [];
    const title = headlineOf(link);
    const abstract = longParts(link);
    const lines = linesOf(part, (element) => element === link)
      .concat(linesOf(link).length > 1 ? linesOf(link) : leavesOf(link))
      .filter((line) => line !== title && !abstract.slice(abstract.indexOf(title) + 1).includes(line))
      .flatMap((line) => line.split('·').map((text) => text.trim()));
    const date = dateIn(lines);
    const source = lines.find((line) => line !== date && line !== '' && line.length <= 40) ?? '';
    return [{ title, ...target, ...(source && { source }), ...(date && { date }) }];
  });

const toImages = leadsToService('images');

/** A picture links to the engine's viewer, with its own address and that of its page, or to its page. */
const isPictureLink: Test = (element) =>
  (toImages(element) || leadsOut(element)) && has(element, isNamed('img')) && textOf(element) === '';

const picturesIn = (item: Element): Element[] => linksIn(item).filter(isPictureLink);

const minPictures = 2;

export const hasImages: Test = (item) => hasLink(item, toImages) && picturesIn(item).length >= minPictures;

const addressIn = (parameters: Parameters | undefined, name: string): string => {
  const found = parameters?.get(name) ?? '';
  const url = found === '' || /^https?:\/\//.test(found) ? found : `http://${found}`;
  return URL.canParse(url) ? url : '';
};

const pageOf = (link: Element): Target | undefined => {
  const own = ownPageOf(link);
  if (!own) return targetOfLink(link) ?? undefined;
  const page = addressIn(own.parameters, 'rurl');
  return page === ''
    ? { url: own.href, url_resolution: 'opaque' }
    : { url: page, url_resolution: 'unwrapped' };
};

export const readImages = (item: Element): Draft[] =>
  picturesIn(item).map((link) => {
    const picture = find(link, isNamed('img'))?.attribs ?? {};
    const image = addressIn(ownPageOf(link)?.parameters, 'imgurl');
    return {
      title: picture.title || picture.alt || link.attribs.title || '',
      ...pageOf(link),
      ...(image !== '' && { image_url: image }),
    };
  });
