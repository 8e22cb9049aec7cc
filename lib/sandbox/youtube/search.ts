/**
 * Reads a request to YouTube: search_query, hl, gl, and the offset in sp; or the token and the client in a
 * request of its script.
 */
import { type Search, type SearchRequest, searchOf } from '../search.ts';
import { readOffset, readToken } from './message.ts';

export const pageSize = 20;

type ScriptRequest = { context?: { client?: { hl?: string; gl?: string } }; continuation?: string };

/** Whether the script of a page requests the next one. */
export const isContinuation = ({ url }: SearchRequest): boolean =>
  new URL(url).pathname === '/youtubei/v1/search';

/** Reads a request of the search interface. Null if it has no token of a page. */
export const readContinuation = (request: SearchRequest): Search | null => {
  const { context, continuation = '' }: ScriptRequest = JSON.parse(request.body ?? '{}');
  const asked = readToken(continuation);
  return (
    asked &&
    searchOf(request, {
      text: asked.query,
      page: asked.offset / pageSize + 1,
      language: context?.client?.hl ?? '',
      country: context?.client?.gl ?? 'us',
      isContinuation: true,
    })
  );
};

export const readSearch = (request: SearchRequest): Search => {
  const { searchParams } = new URL(request.url);
  return searchOf(request, {
    text: searchParams.get('search_query') ?? '',
    page: Math.floor(readOffset(searchParams.get('sp') ?? '') / pageSize) + 1,
    language: searchParams.get('hl') ?? '',
    country: searchParams.get('gl') ?? 'us',
  });
};
