/** The address of a Google result page: what a task asks for, as the engine's own parameters. */
import type { GoogleCrawlRequest } from '../../model/crawl-request.ts';
import { uule } from './uule.ts';

export type GoogleSearch = Pick<
  GoogleCrawlRequest,
  'keyword' | 'location_name' | 'iso_code' | 'language_code' | 'engine_domain'
>;

const resultsPerPage = 10;

/** Reading 15: a leading `www.` is ignored, and an empty name means `google.com`. */
const hostOf = (engineDomain: string): string =>
  `www.${engineDomain.toLowerCase().replace(/^www\./, '') || 'google.com'}`;

/** Reading 28: `UK` is read as `GB`. */
const countryOf = (isoCode: string): string => {
  const country = isoCode.toLowerCase();
  return country === 'uk' ? 'gb' : country;
};

/**
 * The page of results 10(n-1)+1 … 10n (Reading 5), pages counting from 1. Every page says `start`, the first too. There is no `num`:
 * the engine has not honoured it since September 2025. Empty language or place: the parameter is left out.
 */
export const googleSearchUrl = (search: GoogleSearch, pageNumber = 1): string => {
  const parameters = new URLSearchParams({ q: search.keyword });
  if (search.language_code) parameters.set('hl', search.language_code);
  parameters.set('gl', countryOf(search.iso_code));
  if (search.location_name) parameters.set('uule', uule(search.location_name));
  parameters.set('start', String(resultsPerPage * (pageNumber - 1)));
  return `https://${hostOf(search.engine_domain)}/search?${parameters}`;
};
