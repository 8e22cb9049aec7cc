/** Addresses of YouTube's result pages: a search as the engine's own parameters. */
import { countryOf } from '../../model/country.ts';
import { engines } from '../../model/engine.ts';
import { languageTag } from '../../model/language.ts';
import type { Continuation, Search } from '../../model/search.ts';
import type { EngineAddress, NextPage } from '../engine-reader.ts';
import { encodeNumber, searchFields } from './message.ts';

const { domain, resultsPerPage } = engines.youtube;

/**
 * `sp` has the offset of a further page, and no filter. The page is the same as the one that `continuation`
 * requests, but it can be opened without the page before it. There is no parameter for a place: the country
 * is the finest.
 */
const pageUrl = (search: Omit<Search, 'engine' | 'depth'>, page: number): string => {
  const parameters = new URLSearchParams({ search_query: search.keyword });
  if (search.language_code) parameters.set('hl', languageTag(search.language_code));
  parameters.set('gl', countryOf(search.iso_code));
  if (page > 1) parameters.set('sp', encodeNumber(searchFields.offset, resultsPerPage * (page - 1)));
  const host = search.device === 'mobile' ? 'm' : 'www';
  return `https://${host}.${domain}/results?${parameters}`;
};

/** The path of the search interface, from which the page's own script loads further pages. */
export const interfacePath = '/youtubei/v1/search';

/**
 * A request of the search interface. The version of the script is that of the page before, so it is never out
 * of date.
 */
const continuation = (
  search: Pick<Search, 'iso_code' | 'language_code'>,
  { token, client: { name, version, visitor } }: NextPage,
): Continuation => {
  const client = {
    clientName: name,
    clientVersion: version,
    ...(search.language_code && { hl: languageTag(search.language_code) }),
    gl: countryOf(search.iso_code),
    ...(visitor && { visitorData: visitor }),
  };
  const body = JSON.stringify({ context: { client }, continuation: token });
  return { path: `${interfacePath}?prettyPrint=false`, body, token };
};

export const address = { origin: `https://www.${domain}`, pageUrl, continuation } satisfies EngineAddress;
