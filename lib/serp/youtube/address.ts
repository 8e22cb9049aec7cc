/** Addresses of YouTube's result pages: a search as the engine's own parameters. */
import { countryOf } from '../../model/country.ts';
import { engines } from '../../model/engine.ts';
import { languageTag } from '../../model/language.ts';
import type { Search } from '../../model/search.ts';
import type { EngineAddress } from '../engine.ts';
import { encodeNumber, searchFields } from './message.ts';

const { domain, resultsPerPage } = engines.youtube;

/**
 * `sp` has the offset of a further page, and no filter. The page is the same as the one that the engine's own script loads with a token of
 * the page before it, but every page has an address of its own. There is no parameter for a place: the country is the finest.
 */
const pageUrl = (search: Omit<Search, 'engine' | 'depth'>, page: number): string => {
  const parameters = new URLSearchParams({ search_query: search.keyword });
  if (search.language_code) parameters.set('hl', languageTag(search.language_code));
  parameters.set('gl', countryOf(search.iso_code));
  if (page > 1) parameters.set('sp', encodeNumber(searchFields.offset, resultsPerPage * (page - 1)));
  const host = search.device === 'mobile' ? 'm' : 'www';
  return `https://${host}.${domain}/results?${parameters}`;
};

export const address = { origin: `https://www.${domain}`, pageUrl } satisfies EngineAddress;
