/**
 * Reads a request to Yahoo: p, b, the language filter vl, and the country in the host. Yahoo has no parameter
 * for a place.
 */
import { type Search, type SearchRequest, searchOf } from '../search.ts';

export const pageSize = 7;

/** Hosts that are not called by the code of a country, with their country and language. */
const hosts: Record<string, [country: string, language: string]> = {
  search: ['us', 'en'],
  espanol: ['us', 'es'],
  qc: ['ca', 'fr'],
  chfr: ['ch', 'fr'],
  chit: ['ch', 'it'],
  uk: ['gb', 'en'],
  malaysia: ['my', 'en'],
};

const marketOf = (hostname: string): [country: string, language: string] => {
  const name = hostname.split('.')[0] ?? '';
  const country = name.length === 2 ? name : 'us';
  return hosts[name] ?? [country, new Intl.Locale(`und-${country}`).maximize().language ?? 'en'];
};

export const readSearch = (request: SearchRequest): Search => {
  const { hostname, searchParams } = new URL(request.url);
  const [country, language] = marketOf(hostname);
  const first = Number(searchParams.get('b') ?? 1);
  return searchOf(request, {
    text: searchParams.get('p') ?? '',
    page: first > 0 ? Math.floor((first - 1) / pageSize) + 1 : 1,
    language: searchParams.get('vl')?.replace('lang_', '') ?? language,
    country,
  });
};
