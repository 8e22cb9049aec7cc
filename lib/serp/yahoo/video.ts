/**
 * Blocks of videos. A card links to the engine's player, with the address of the video in the link, or to the
 * video itself.
 */

import type { Element } from 'domhandler';
import { dateIn } from '../dates.ts';
import { find, findAll, has, type Test } from '../dom.ts';
import { linesOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { once } from '../page-cache.ts';
import { longest } from '../text.ts';
import type { Draft } from '../walker.ts';
import { hasLink, isItem } from './elements.ts';
import { leadsOut, leadsToService, ownPageOf, targetOfLink } from './link.ts';

/** `4:05`, `1:02:03`, and also `1:5:21`. */
const duration = /^\p{Nd}{1,2}(?::\p{Nd}{1,2}){1,2}$/u;

const toVideos = leadsToService('video');

const isToVideo: Test = (element) => toVideos(element) || leadsOut(element);

const durationOf = (card: Element): string => linesOf(card).find((line) => duration.test(line)) ?? '';

/** A card: an item of the list inside the block, with a link and a duration. */
const cardsIn = once((item: Element): Element[] =>
  findAll(item, (element) => element.name === 'li' && !isItem(element) && has(element, isToVideo)).filter(
    (card) => durationOf(card) !== '',
  ),
);

export const hasVideos: Test = (item) => hasLink(item, toVideos) && cardsIn(item).length > 0;

const targetIn = (card: Element): Target | undefined => {
  const out = find(card, leadsOut);
  const direct = out && targetOfLink(out);
  if (direct) return direct;
  const own = findAll(card, toVideos).flatMap((link) => ownPageOf(link) ?? []);
  for (const { parameters } of own) {
    const url = parameters.get('rurl') ?? '';
    if (/^https?:\/\/./.test(url) && URL.canParse(url)) return { url, url_resolution: 'unwrapped' };
  }
  const [page] = own;
  return page && { url: page.href, url_resolution: 'opaque' };
};

/** A number with a word, such as `2.6M views`. */
const isCount = (text: string): boolean =>
  /^\p{Nd}[\p{Nd}.,\u066b\u066c\s]*\s?\p{L}/u.test(text) && text.split(' ').length <= 3;

const readCard = (card: Element): Draft[] => {
  const target = targetIn(card);
  const time = durationOf(card);
  const lines = linesOf(card).filter((line) => line !== time);
  const picture = find(card, ({ name, attribs }) => name === 'img' && Boolean(attribs.title))?.attribs.title;
  const title = longest(lines) || (picture ?? '');
  if (!target || title === '') return [];
  const facts = lines.filter((line) => line !== title);
  const date = dateIn(facts.filter((line) => !isCount(line)));
  const views = facts.find((line) => line !== date && isCount(line)) ?? '';
  const source = facts.find((line) => line !== date && line !== views && !/\p{Nd}/u.test(line)) ?? '';
  return [
    {
      title,
      ...target,
      ...(source && { source }),
      ...(date && { date }),
      ...(time && { duration: time }),
      ...(views && { views }),
    },
  ];
};

export const readVideos = (item: Element): Draft[] => cardsIn(item).flatMap(readCard);
