/** Pages of the sandbox with blocks of every kind: hostile pages are made of them. */
import { type EngineName, engines } from '../../lib/model/engine.ts';
import { doubleOf } from '../../lib/sandbox/engines.ts';
import { pageUrl } from '../../lib/serp/address.ts';
import type { PageFetch } from '../../lib/serp/engine-reader.ts';
import { noon } from '../unit/sandbox/ask.ts';

/** Their words add blocks to the page. */
const queries = [
  'explain how to buy garden chairs near me',
  'who is garden chairs company news video shorts photos forum recipe price jobs events hotels flights app books',
];

const urlOf = (engine: EngineName, keyword: string): string =>
  pageUrl(
    {
      engine,
      keyword,
      location_name: '',
      iso_code: 'us',
      language_code: 'en',
      engine_domain: engines[engine].domain,
      device: 'desktop',
      depth: 100,
    },
    1,
  );

export const sandboxPages = (engine: EngineName): string[] =>
  queries.map((query) => doubleOf(engine)({ url: urlOf(engine, query), device: 'desktop', now: noon }).body);

/** The fetch of a page. */
export const fetchOf = (engine: EngineName): PageFetch => ({
  query: queries[0] ?? '',
  device: 'desktop',
  fetchedAt: noon,
  status: 200,
  url: urlOf(engine, queries[0] ?? ''),
  page: 1,
});
