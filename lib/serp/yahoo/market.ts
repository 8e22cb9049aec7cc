/** What a page says of its country and of the language of its interface. */
import { countryOfYahooHost } from '../../model/market.ts';
import { ancestors, find, isNamed } from '../dom.ts';
import { type PageMarket, regionOf } from '../market.ts';
import type { Page } from '../page.ts';
import { elementsOf, once } from '../page-cache.ts';
import { isWebHost, parse } from './link.ts';
import { isBox } from './page-facts.ts';

/** The host that the search form leads to: each country has its own. */
const formHostOf = (page: Page): string => {
  const box = find(page.root, isBox);
  const action = box && ancestors(box).find(isNamed('form'))?.attribs.action;
  const host = action?.includes('//') ? (parse(action)?.hostname ?? '') : '';
  return isWebHost(host) ? host : '';
};

const readMarket = (page: Page): PageMarket => {
  const tag = elementsOf(page.root).find(({ name }) => name === 'html')?.attribs.lang ?? '';
  const host = formHostOf(page);
  const country = host === '' ? regionOf(tag) : countryOfYahooHost(host);
  return { ...(tag !== '' && { language: tag }), ...(country !== '' && { country }) };
};

export const marketOf = once(readMarket);
