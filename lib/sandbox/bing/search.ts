/**
 * Reads a request to Bing: q, first, and the market in mkt. Bing has no parameter for a place within a
 * country.
 */
import { type Search, type SearchRequest, searchOf } from '../search.ts';

export const pageSize = 10;

export const readSearch = (request: SearchRequest): Search => {
  const { searchParams } = new URL(request.url);
  const [language = '', country = 'us'] = (searchParams.get('mkt') ?? '').split('-');
  const first = Number(searchParams.get('first') ?? 1);
  return searchOf(request, {
    text: searchParams.get('q') ?? '',
    page: first > 0 ? Math.floor((first - 1) / pageSize) + 1 : 1,
    language,
    country,
  });
};
