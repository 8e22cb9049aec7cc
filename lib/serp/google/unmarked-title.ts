/**
 * Finds the titles of web results whose markup has changed, so that they are neither an `h3` nor a heading.
 */

import { type Element, isTag } from 'domhandler';
import { find, has, isInside, isNamed, type Test } from '../dom.ts';
import { isSameSite, shownHost } from '../host.ts';
import { isHidden, textIn, textOf } from '../lines.ts';
import { isAnswerFrom } from './answer.ts';
import { isAddress, isTitleLink } from './elements.ts';
import { targetIn } from './link.ts';
import { addressesIn, hasPath } from './shown-address.ts';

/** The elements with text in an element. If there is only one, the elements in it. */
const partsOf = (element: Element): Element[] => {
  const parts = element.children.filter(
    (child): child is Element => isTag(child) && !isHidden(child) && textOf(child) !== '',
  );
  const [only] = parts;
  return parts.length === 1 && only ? partsOf(only) : parts;
};

/**
 * The caption of the list of results, for screen readers. It may be in the link of a result, between the
 * address and the title. Without another part that can be the title, it is the title.
 */
const isCaption = isNamed('h2');

/** The index of the part of a link with its address: the marked one, or a line that looks like one. */
const findAddress = (parts: Element[], link: Element): number => {
  const marked = find(link, isAddress);
  if (marked) return parts.findIndex((part) => part === marked || isInside(marked, (up) => up === part));
  const at = parts.findIndex((part) => addressesIn(part, hasPath).length > 0);
  const url = targetIn(link)?.url ?? '';
  return at < 0 ? parts.findIndex((part) => addressesIn(part).some((line) => isSameSite(url, line))) : at;
};

/**
 * The title of a result is the part after the one with the address, as on mobile pages, or else the first
 * one, as on desktop pages.
 */
const titleIn = (link: Element): Element | undefined => {
  const all = partsOf(link);
  const parts = all.filter((part) => !isCaption(part));
  const at = findAddress(parts, link);
  return at < 0 ? undefined : (parts[at + 1] ?? parts.slice(0, at)[0] ?? all.find(isCaption));
};

/** Whether the link is the only source in a box that begins with a text: a featured snippet. */
const isOfAnswer = (link: Element, links: Element[]): boolean => {
  const isOther: Test = (element) => isTitleLink(element) || (element !== link && links.includes(element));
  return isInside(link, (up) => isAnswerFrom(up, link) && !has(up, isOther));
};

const shownIn = (link: Element): string =>
  shownHost(has(link, isAddress) ? textIn(link, isAddress) : (addressesIn(link, hasPath)[0] ?? ''));

/** The site that the link shows is the one that it leads to, if it shows one and its target is not hidden. */
const showsItsSite = (link: Element): boolean => {
  const target = targetIn(link);
  const shown = shownIn(link);
  if (!target || target.url_resolution === 'opaque' || shown === '') return target !== null;
  return isSameSite(target.url, shown);
};

/** The titles of links that have lost the mark of their titles. Null if one of the links is no result. */
export const unmarkedTitles = (links: Element[]): Map<Element, Element> | null => {
  const titles = new Map<Element, Element>();
  for (const link of links) {
    const title = titleIn(link);
    if (!title || !showsItsSite(link) || isOfAnswer(link, links)) return null;
    titles.set(link, title);
  }
  return titles;
};
