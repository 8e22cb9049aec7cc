/**
 * Blocks of videos and of short videos. A card links to the engine's player; the address of the video is in
 * the card's data.
 */

import type { Element } from 'domhandler';
import { dateIn, durationIn } from '../dates.ts';
import { find, findAll, hasClass, isInside, isLink, type Test, walk } from '../dom.ts';
import { linesOf, textIn, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { once } from '../page-cache.ts';
import { longest } from '../text.ts';
import type { Draft } from '../walker.ts';
import { isOtherItem, isRight, leadsTo, partsOf } from './elements.ts';
import { ownPageOf, targetOfLink } from './link.ts';

const isCardClass = hasClass('mc_vtvc');

const hasDuration = once((link: Element): boolean => durationIn(linesOf(link)) !== '');

/**
 * Until 2026 a card has its own class. Otherwise it is a link to a player, or to a video, with a duration.
 */
const isCard: Test = (element) => isCardClass(element) || (isLink(element) && hasDuration(element));

const toVideos = leadsTo(/^\/videos\//);

/** A link that filters for short videos leads the row of shorts. */
const isToShorts: Test = (element) =>
  element.name === 'a' &&
  /shortvideo|\/ck\/a/.test(element.attribs.href ?? '') &&
  /shortvideo/.test(ownPageOf(element)?.search ?? '');

/** The cards of an item. Those below a link that filters for short videos are shorts. */
const cardsIn = (item: Element): Map<Element, 'video' | 'short'> => {
  const cards = new Map<Element, 'video' | 'short'>();
  let isRow = false;
  walk(item, (element) => {
    if (isToShorts(element)) isRow = true;
    if (!isCard(element)) return true;
    cards.set(element, isRow ? 'short' : 'video');
    return false;
  });
  return cards;
};

const kinds = new WeakMap<Element, 'video' | 'short'>();

const findCards = once((item: Element): boolean => {
  if (isInside(item, isRight) || !(toVideos(item) || partsOf(item).all.some(isCardClass))) return false;
  const cards = cardsIn(item);
  for (const [card, kind] of cards) kinds.set(card, kind);
  return cards.size > 0;
});

/**
 * The block of videos. In a saved copy its links may lead elsewhere, so the class of a card counts too. The
 * walk over the page tests the block before its cards.
 */
export const isVideos: Test = (element) => isOtherItem(element) && findCards(element);

const isKnownCard =
  (kind: 'video' | 'short'): Test =>
  (element) =>
    (isCardClass(element) || element.name === 'a') && kinds.get(element) === kind;

export const isVideo = isKnownCard('video');

export const isShortVideo = isKnownCard('short');

/** A value in the data of the card: JSON in an attribute. */
const fromData = (card: Element, name: string): string => {
  for (const { attribs } of [card, ...findAll(card, ({ attribs: all }) => all.vrhm !== undefined)]) {
    const found = new RegExp(`"${name}":"((?:[^"\\\\]|\\\\.)*)"`).exec(attribs.vrhm ?? '')?.[1];
    if (found) return found.replaceAll('\\/', '/');
  }
  return '';
};

const resolve = (card: Element): Target | undefined => {
  const link = isLink(card) ? card : find(card, isLink);
  const target = link && targetOfLink(link);
  if (target) return target;
  const inData =
    find(card, ({ attribs }) => /^https?:/.test(attribs.ourl ?? ''))?.attribs.ourl ||
    fromData(card, 'murl') ||
    fromData(card, 'pgurl');
  if (/^https?:/.test(inData)) return { url: inData, url_resolution: 'page' };
  const own = link && ownPageOf(link);
  return own && { url: own.href, url_resolution: 'opaque' };
};

const isTitle = hasClass('mc_vtvc_title');
const isViews = hasClass('meta_vc_content');
const isChannel = hasClass('mc_vtvc_meta_row_channel');

const titleOf = (card: Element): string => {
  const title = find(card, isTitle);
  return title ? textOf(title) || (title.attribs.title ?? '') : longest(linesOf(card));
};

/** A number with a word, such as `2.6M views`, is before the date. */
const isCount = (text: string): boolean =>
  /^\p{Nd}[\p{Nd}.,\u066b\u066c\s]*\s?\p{L}/u.test(text) && text.split(' ').length <= 3;

export const readVideo = (card: Element): Draft[] => {
  const title = titleOf(card);
  const target = resolve(card);
  if (title === '' || !target) return [];
  const spans = findAll(card, ({ name }) => name === 'span')
    .map((span) => textOf(span))
    .filter(Boolean);
  const channel = textIn(card, isChannel);
  const counts = spans.filter(isCount);
  const views = textIn(card, isViews) || (counts.length > 1 ? (counts[0] ?? '') : '');
  const date =
    textIn(card, hasClass('meta_pd_content')) || (counts.length > 1 ? (counts[1] ?? '') : dateIn(spans));
  const source =
    spans.find((span) => span !== views && span !== date && span !== channel && !/\p{Nd}/u.test(span)) ?? '';
  const duration = durationIn(linesOf(card));
  return [
    {
      title,
      ...target,
      ...(source && { source }),
      ...(date && { date }),
      ...(duration && { duration }),
      ...(views && { views }),
      ...(channel && { channel }),
    },
  ];
};
