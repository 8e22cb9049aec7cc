/** Reads a request to Google: q, start, hl, gl, uule, and the filters, each of which gives other ranks. */
import { type Search, type SearchRequest, searchOf } from '../search.ts';

export const pageSize = 10;

const filters = ['safe', 'filter', 'lr', 'cr', 'tbs'];

export const readSearch = (request: SearchRequest): Search => {
  const { searchParams } = new URL(request.url);
  const start = Number(searchParams.get('start') ?? 0);
  return searchOf(request, {
    text: searchParams.get('q') ?? '',
    page: start > 0 ? Math.floor(start / pageSize) + 1 : 1,
    language: searchParams.get('hl') ?? '',
    country: searchParams.get('gl') ?? 'us',
    place: ['uule', ...filters]
      .map((name) => searchParams.get(name) ?? '')
      .join(' ')
      .trim(),
  });
};
