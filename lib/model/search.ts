/** A search, whichever version of the interface asked for it. */
import type { GoogleCrawlRequest } from './crawl-request.ts';
import type { EngineName } from './engine.ts';

/** The fields that decide which pages answer a search. */
export type Search = { engine: EngineName } & Pick<
  GoogleCrawlRequest,
  'keyword' | 'location_name' | 'iso_code' | 'language_code' | 'engine_domain' | 'device' | 'depth'
>;
