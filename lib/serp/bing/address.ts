/** Addresses of Bing's result pages: a search as the engine's own parameters. */
import { engines } from '../../model/engine.ts';
import { bingMarket, type Place } from '../../model/market.ts';
import type { Search } from '../../model/search.ts';
import type { EngineAddress } from '../engine-reader.ts';

const { domain, resultsPerPage } = engines.bing;

/**
 * Every page has `first`, the first too. `mkt` is the language and the country of the results: with `cc`
 * alone, Bing often answers for the country of the client's IP address. Bing has no parameter for a place
 * within a country.
 */
const pageUrl = (search: Omit<Search, 'engine' | 'device' | 'depth'>, page: number): string => {
  const parameters = new URLSearchParams({
    q: search.keyword,
    mkt: bingMarket(search),
    first: String(resultsPerPage * (page - 1) + 1),
  });
  return `https://www.${domain}/search?${parameters}`;
};

/** A header that contradicts `mkt` can overrule it. */
const headers = (search: Place): Record<string, string> => {
  const market = bingMarket(search);
  return { 'accept-language': `${market},${market.split('-')[0]};q=0.9` };
};

export const address = { origin: `https://www.${domain}`, pageUrl, headers } satisfies EngineAddress;
