/** Reads a request to YouTube: search_query, hl, gl, and the offset in sp. */
import { type Search, type SearchRequest, searchOf } from '../search.ts';
import { readOffset } from './message.ts';

export const pageSize = 20;

export const readSearch = (request: SearchRequest): Search => {
  const { searchParams } = new URL(request.url);
  return searchOf(request, {
    text: searchParams.get('search_query') ?? '',
    page: Math.floor(readOffset(searchParams.get('sp') ?? '') / pageSize) + 1,
    language: searchParams.get('hl') ?? '',
    country: searchParams.get('gl') ?? 'us',
  });
};
