/** The offers of shops for the product of a panel: data of the engine, a card for each offer. */
import type { Element } from 'domhandler';
import { ancestors, find, findAll, partsAround, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { longest } from '../text.ts';
import type { Draft } from '../walker.ts';
import { isColumn } from './elements.ts';
import { leadsOut, targetOf } from './link.ts';
import { firstPanelTitle } from './panel.ts';
import { priceOf } from './rating.ts';

type Offer = NonNullable<Draft['offers']>[number];

export const isOffers: Test = ({ attribs }) => attribs['data-attrid'] === 'organic_offers_grid';

/**
 * A card has the shop, the title and the price. The title is the longest line. Its button names the
 * address.
 */
const readOffer = (link: Element, card: Element): Offer[] => {
  const lines = linesOf(card);
  const title = longest(lines);
  const named = find(card, ({ attribs }) => attribs['data-target-url'] !== undefined);
  const url = targetOf(named?.attribs['data-target-url'] ?? link.attribs.href)?.url ?? '';
  const price = priceOf(card);
  const source = lines.find((line) => line !== title && /\p{L}/u.test(line)) ?? '';
  return price === '' || title === '' ? [] : [{ title, url, price, source }];
};

export const readOffers = (grid: Element, page: Page): Draft[] => {
  const offers = partsAround(grid, findAll(grid, leadsOut)).flatMap(([link, card]) => readOffer(link, card));
  const panel = firstPanelTitle(page.root);
  const isOfPanel = panel && ancestors(grid).some((box) => !isColumn(box) && ancestors(panel).includes(box));
  const title = (isOfPanel && textOf(panel)) || offers[0]?.title || '';
  return offers.length === 0 ? [] : [{ title, offers }];
};
