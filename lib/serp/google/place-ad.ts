/** A paid place: a card in the block of places whose links count clicks on something paid. */

import type { Element } from 'domhandler';
import { ancestors, find, has, isInside, type Test } from '../dom.ts';
import { domainOf } from '../host.ts';
import { isHidden, linesOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { adTarget, isPaidLink } from './ad.ts';
import { isCardTitle, nameOf } from './card.ts';
import { isRanked } from './elements.ts';

const isName: Test = (element) => isCardTitle(element) && !isInside(element, isHidden);

/** The card of a place has the number of the place. */
const isNumbered: Test = ({ attribs }) =>
  attribs['data-cid'] !== undefined || attribs['data-ludocid'] !== undefined;

/** The smallest boxes around a link. A card of a place has few levels. */
const maxLevels = 8;

const placeAround = once((link: Element): Element | undefined => {
  const box = ancestors(link)
    .slice(0, maxLevels)
    .find((up) => has(up, isName));
  return box && (isNumbered(box) || has(box, isNumbered)) ? box : undefined;
});

/** The name of a place, and the lines of its card after the name. */
const readCard = (place: Element): { title: string; own: string[] } | undefined => {
  const name = find(place, isName);
  const title = name ? nameOf(name) : '';
  const lines = linesOf(place, isPaidLink);
  const own = lines.slice(lines.indexOf(title) + 1);
  return title === '' || own.length === 0 ? undefined : { title, own };
};

/** The first paid link beside the name of a place. */
export const isPlaceAd: Test = (element) => {
  if (!isPaidLink(element) || has(element, isName) || !isRanked(element)) return false;
  const place = placeAround(element);
  return place !== undefined && find(place, isPaidLink) === element && readCard(place) !== undefined;
};

export const readPlaceAd = (_: Element, page: Page, link: Element): Draft[] => {
  const place = placeAround(link);
  const card = place && readCard(place);
  if (!place || !card) return [];
  const { title, own } = card;
  const target = adTarget(link, place, page, { title, breadcrumb: '' });
  return [{ title, ...target, snippet: own.join(' · '), domain: domainOf(target, '') }];
};
