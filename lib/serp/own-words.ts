/**
 * How the own words of a page, and its final URL, are compared with the request, for all engines (Reading 7).
 */
import type { PageFetch } from './engine-reader.ts';
import { isSameQuery } from './query.ts';

/**
 * A page whose own time differs more than this from the fetch time, in seconds, was not generated for this
 * fetch.
 */
export const freshForSeconds = 48 * 3600;

/**
 * Whether the service itself got the page from the engine, over TLS. Another page may come from a store, so
 * it must have its own time. The empty URL is that of a saved page.
 */
export const isFromEngine = ({ isDelivered, url }: PageFetch): boolean =>
  !isDelivered && (url === '' || url.startsWith('https:'));

/** The addresses of an engine's result pages. */
type SearchAddress = {
  /** Whether a URL is that of a result page: by its host, its path and its tab. */
  isSearch: (url: URL) => boolean;
  /** The names of the parameters with the query and with the first result of the page. */
  names: { query: string; first: string };
  /** The value of the parameter with the first result. Pages count from 1. */
  firstOf: (page: number) => number;
};

/**
 * Whether the final URL is another host, path, query, tab or page of the engine than the one asked. An empty
 * URL is unknown. Without the parameter of its first result, it is that of the first page.
 */
export const isAtOtherAddress = (
  { url, query, page, isReplay }: PageFetch,
  { isSearch, names, firstOf }: SearchAddress,
): boolean => {
  const final = url === '' || isReplay ? null : URL.parse(url);
  if (!final) return false;
  const [asked, first] = [final.searchParams.get(names.query), final.searchParams.get(names.first)];
  return (
    !isSearch(final) ||
    (asked !== null && query !== '' && !isSameQuery(asked, query)) ||
    (page !== undefined && (first === null ? page > 1 : Number(first) !== firstOf(page)))
  );
};
