/** Whose the items besides the ranked ones are, as a crawl records it. */
import { expect, test } from 'vitest';
import type { RawResult, ResultItem } from '../../../../lib/model/result.ts';
import { readOwners } from '../../../../lib/reporting/run/read-owners.ts';
import { siteRules } from '../../../../lib/serp/sites.ts';
import { webSites } from '../../../../lib/serp/tracking.ts';

const itemOf = (type: ResultItem['type'], url: string, more: Partial<ResultItem> = {}): ResultItem => ({
  type,
  position: '1',
  title: 'A title',
  url,
  breadcrumb: '',
  snippet: '',
  absolute_position: 1,
  ...more,
});

const sourceOf = (domain: string, n: number) => ({
  position: n + 1,
  title: 'T',
  url: `https://${domain}/`,
  domain,
});

const compared = {
  domain: 'example.com',
  google_business: null,
  competitors: ['rival.com', 'example.com', 'blog.rival.com'],
};

const read = (left: ResultItem[], changes: Partial<typeof compared | { google_business: string }> = {}) =>
  readOwners({ left, right: [] } satisfies RawResult, { ...compared, ...changes }, webSites);

test('items are of the domain, of a competitor or of others, also those of subdomains', () => {
  const found = read([
    itemOf('featured_snippet', 'https://www.example.com/a'),
    itemOf('image', 'https://shop.example.com/a.png'),
    itemOf('image', 'https://rival.com/b'),
    itemOf('image', 'https://blog.rival.com/c'),
    itemOf('image', 'https://notexample.com/'),
    itemOf('video', 'https://other.example/'),
    itemOf('related_search', 'https://example.com/'),
    itemOf('organic', 'https://example.com/'),
  ]);

  expect(found).toEqual({
    featured_snippet: { all: 1, own: 1 },
    image: { all: 4, own: 1, rivals: { 'rival.com': 2 } },
    video: { all: 1 },
  });
});

test('what an engine ranks has positions, and is not counted', () => {
  const page = { left: [itemOf('video', 'https://other.example/'), itemOf('image', '')], right: [] };

  expect(readOwners(page, compared, siteRules.youtube)).toEqual({ image: { all: 1, hidden: 1 } });
});

test('an item without an address, or with a link of the engine, is of an unknown site', () => {
  const found = read([
    itemOf('people_also_ask', ''),
    itemOf('people_also_ask', 'https://example.com/goto?x', { url_resolution: 'opaque' }),
    itemOf('people_also_ask', 'javascript:alert(1)'),
    itemOf('people_also_ask', 'https://rival.com/'),
  ]);

  expect(found).toEqual({ people_also_ask: { all: 4, hidden: 3, rivals: { 'rival.com': 1 } } });
});

test('of an AI overview, the pages that it cites count, and an overview without sources is none', () => {
  const domains = ['rival.com', 'en.example.com', 'other.example', 'rival.com', ''];
  const overview = itemOf('ai_overview', '', { url_resolution: 'opaque', sources: domains.map(sourceOf) });

  expect(read([overview])).toEqual({
    ai_overview: { all: 5, own: 1, hidden: 1, rivals: { 'rival.com': 2 } },
  });
  expect(read([itemOf('ai_overview', '')])).toBeUndefined();
});

test('a place is that of the business of the keyword by its name, whatever its address', () => {
  const places = [itemOf('local_pack', '', { title: 'The Shop!' }), itemOf('local_pack', '')];

  expect(read(places, { google_business: 'the shop' })).toEqual({
    local_pack: { all: 2, own: 1, hidden: 1 },
  });
});

test('a competitor may have the name of a property of every object', () => {
  const found = read([itemOf('image', 'https://constructor/')], {
    competitors: ['constructor', '__proto__'],
  });

  expect(found).toEqual({ image: { all: 1, rivals: { constructor: 1 } } });
});
