/** What a page says of its country and of the language of its interface. */
import { countries, countryOf } from '../../model/country.ts';
import type { PageMarket } from '../market.ts';
import type { Page } from '../page.ts';
import { elementsOf, once } from '../page-cache.ts';
import { inScripts } from '../scripts.ts';

/**
 * The beginning of the settings in the page's first script. `RevIpCC` beside them is the country of the
 * client's address, and `mkt` in links is that of the request: both say nothing about the results.
 */
const settings = /_G=\{.{0,400}/s;
const region = /\bRegion:"([A-Z]{2})"/;
const language = /\bLang:"([A-Za-z-]{2,12})"/;

/** `WW` means the whole world: the engine has no pages for the country. */
const readMarket = (page: Page): PageMarket => {
  const text = inScripts(page, settings)?.[0] ?? '';
  const country = countryOf(region.exec(text)?.[1] ?? '');
  const tag =
    language.exec(text)?.[1] ?? elementsOf(page.root).find(({ name }) => name === 'html')?.attribs.lang ?? '';
  return { ...(tag !== '' && { language: tag }), ...(countries.has(country) && { country }) };
};

export const marketOf = once(readMarket);
