/** A search, independent of the version of the API that requested it. */
import type { CrawlRequest } from './crawl-request.ts';
import type { EngineName } from './engine.ts';
import type { SearchOptions } from './search-options.ts';

/** The fields that determine the result pages of a search. */
export type Search = { engine: EngineName; depth: number } & Pick<
  CrawlRequest,
  'keyword' | 'location_name' | 'iso_code' | 'language_code' | 'engine_domain' | 'device'
> &
  Partial<SearchOptions>;

/**
 * A request for a page with the token of the page before it: a POST of `body` to `path` at the origin of the
 * page.
 */
export type Continuation = { path: string; body: string; token: string };
