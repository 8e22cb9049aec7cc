/** The order of the fetchers of an engine, from the operator's choice and the source of the pages. */
import { afterEach, expect, test } from 'vitest';
import { orderOf } from '../../../lib/fetcher/order.ts';
import type { FetcherName } from '../../../lib/model/fetchers.ts';

afterEach(() => {
  for (const name of ['SEARCH_SOURCE', 'GOOGLE_ORIGIN']) delete process.env[name];
});

test.each<[Record<string, string>, FetcherName[] | undefined, FetcherName[]]>([
  [{ SEARCH_SOURCE: 'live' }, undefined, ['http', 'browser']],
  [{ GOOGLE_ORIGIN: 'http://127.0.0.1:1' }, undefined, ['http', 'browser']],
  [{}, undefined, ['sandbox', 'browser']],
  [{ SEARCH_SOURCE: 'live' }, ['browser'], ['browser']],
  [{ SEARCH_SOURCE: 'live' }, ['browser', 'http'], ['browser', 'http']],
  [{ SEARCH_SOURCE: 'live' }, ['sandbox', 'http'], ['http']],
  [{ SEARCH_SOURCE: 'live' }, ['sandbox'], []],
  [{}, ['browser', 'http'], ['browser', 'sandbox']],
  [{}, ['http', 'sandbox'], ['sandbox']],
])('with %j and the order %j it is %j', (settings, chosen, order) => {
  Object.assign(process.env, settings);

  expect(orderOf('google', chosen)).toEqual(order);
});
