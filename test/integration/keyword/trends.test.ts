/** Trends from a source on loopback: the conversation with its cookie and tokens, the feed, and failures. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { HttpError } from '../../../lib/model/http-error.ts';
import type { TrendsRequest } from '../../../lib/model/trends.ts';
import { accountOf } from '../account.ts';
import { answering, type Call, json, startSource } from './source.ts';

const tables = await startSource();
const { trends } = await import('../../../lib/keyword/web/trends.ts');
const { readLine } = await import('../../../lib/store/pace.ts');
afterAll(() => tables.stop());
afterEach(() => {
  for (const name of ['SUGGEST_ORIGIN', 'TRENDS_ORIGIN', 'TRENDS_RATE']) delete process.env[name];
});

const ofKeyword = (keyword: string): TrendsRequest => ({
  keyword,
  location_name: 'Germany',
  iso_code: 'DE',
  language_code: 'de',
  engine_name: 'google',
});

const statusOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 200,
    (error: unknown) => (error instanceof HttpError ? error.statusCode : String(error)),
  );

const request = { time: '2025 2026', comparisonItem: [{ geo: { country: 'DE' } }], z: 1, a: 2 };
const widgets = ['TIMESERIES', 'RELATED_QUERIES'].map((id) => ({
  id,
  token: `token of ${id}`,
  request: { ...request, id },
}));

/** A source that wants its cookie in every call, and the token of each widget with the same request. */
const conversing = (
  response: Parameters<Parameters<typeof answering>[0]>[1],
  { url, headers }: Call,
  nid: string,
) => {
  if (headers.cookie !== `NID=${nid}`) {
    response
      .writeHead(429, { 'set-cookie': `NID=${nid}; Domain=.google.com; Path=/; Secure; HttpOnly` })
      .end('<title>Error 429 (Too Many Requests)!!1</title>');
    return;
  }
  if (url.pathname === '/trends/api/explore') {
    json(response, `)]}'\n${JSON.stringify({ widgets })}`);
    return;
  }
  const widget = widgets.find(({ token }) => token === url.searchParams.get('token'));
  if (JSON.stringify(widget?.request) !== url.searchParams.get('req')) {
    response.writeHead(401).end('<title>Error 401 (Bad Request)!!1</title>');
    return;
  }
  json(
    response,
    url.pathname.endsWith('/multiline')
      ? `)]}',\n${JSON.stringify({ default: { timelineData: [{ time: '1763856000', value: [100] }], averages: [] } })}`
      : `)]}',\n${JSON.stringify({ default: { rankedList: [{ rankedKeyword: [{ query: 'tea', value: 7 }] }, { rankedKeyword: [] }] } })}`,
  );
};

const user = accountOf(1);

describe('a keyword', () => {
  test('takes explore, twice for the cookie, and two widgets', async () => {
    const calls = await answering((call, response) => conversing(response, call, 'abc'));

    expect(await trends(user, ofKeyword('tea'))).toEqual({
      value: {
        interest_over_time: [{ date: '2025-11-23', value: 100 }],
        related_queries: { top: [{ query: 'tea', value: 7 }], rising: [] },
      },
      age: { 'x-cache': 'miss', age: '0' },
    });
    expect(calls.map(({ url }) => url.pathname)).toEqual([
      '/trends/api/explore',
      '/trends/api/explore',
      '/trends/api/widgetdata/multiline',
      '/trends/api/widgetdata/relatedsearches',
    ]);
  });

  test('sends the cookie of earlier requests, and takes a new one when it is refused', async () => {
    let nid = 'first';
    const calls = await answering((call, response) => conversing(response, call, nid));
    await trends(user, ofKeyword('tea'));
    await trends(user, ofKeyword('coffee'));
    nid = 'second';
    await trends(user, ofKeyword('cocoa'));

    expect(calls.map(({ headers }) => headers.cookie ?? '')).toEqual([
      '',
      ...Array.from({ length: 7 }, () => 'NID=first'),
      ...Array.from({ length: 3 }, () => 'NID=second'),
    ]);
  });

  test('is an error if the source refuses with the same cookie', async () => {
    const calls = await answering((_, response) =>
      response.writeHead(429, { 'set-cookie': 'NID=same; Domain=.google.com' }).end(),
    );

    expect(await statusOf(trends(user, ofKeyword('tea')))).toBe(503);
    expect(calls).toHaveLength(2);
    expect(await statusOf(trends(user, ofKeyword('tea')))).toBe(503);
    expect(calls).toHaveLength(3);
  });

  test.each([
    ['the interest', '/multiline'],
    ['the related queries', '/relatedsearches'],
  ])('is an error if the source blocks %s', async (_, path) => {
    await answering((call, response) =>
      call.url.pathname.endsWith(path)
        ? response.writeHead(302, { location: 'https://www.google.com/sorry/index' }).end()
        : conversing(response, call, 'abc'),
    );

    expect(await statusOf(trends(user, ofKeyword('tea')))).toBe(503);
  });

  test('is answered again without a call', async () => {
    const calls = await answering((call, response) => conversing(response, call, 'abc'));
    await trends(user, ofKeyword('tea'));

    expect((await trends(user, ofKeyword('tea'))).age['x-cache']).toBe('hit');
    expect(calls).toHaveLength(4);
  });

  test('takes a turn for every call', async () => {
    process.env.TRENDS_RATE = '20';
    const calls = await answering((call, response) => conversing(response, call, 'abc'));
    const begun = Date.now() / 1000;
    await trends(user, ofKeyword('tea'));

    expect(calls).toHaveLength(4);
    expect((await readLine('trends')).free_at).toBeGreaterThanOrEqual(begun + 4 / 20);
  });

  test('is refused if its turns reach beyond the time of a live call', async () => {
    process.env.TRENDS_RATE = '0.03';
    const calls = await answering((call, response) => conversing(response, call, 'abc'));

    expect(await statusOf(trends(user, ofKeyword('tea')))).toBe(503);
    expect(calls).toHaveLength(1);
  });
});

describe('a country', () => {
  const feed = `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:ht="https://trends.google.com/trending/rss"><channel>
<item><title>Lions</title><ht:approx_traffic>2000+</ht:approx_traffic><description></description></item></channel></rss>`;

  test.each<[string, TrendsRequest, string, number]>([
    ['its code', { location_code: 2276, language_code: 'de' }, 'DE', 2276],
    ['its ISO code', { iso_code: 'jp', language_code: 'en' }, 'JP', 2392],
    ['both', { location_code: 2276, iso_code: 'JP', language_code: 'en' }, 'DE', 2276],
    ['nothing', { language_code: 'en' }, 'US', 2840],
  ])('is named by %s', async (_, body, geo, location_code) => {
    const calls = await answering((_call, response) => json(response, feed, 'text/xml; charset=utf-8'));

    expect((await trends(user, body)).value).toEqual({
      status: 'success',
      location_code,
      result: [{ title: 'Lions', traffic: '2000+', related_queries: [] }],
    });
    expect(calls.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([`/trending/rss?geo=${geo}`]);
  });

  test('is an error if the feed is cut', async () => {
    await answering((_, response) => json(response, feed.slice(0, -20), 'text/xml'));

    expect(await statusOf(trends(user, { language_code: 'en' }))).toBe(502);
  });
});
