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
