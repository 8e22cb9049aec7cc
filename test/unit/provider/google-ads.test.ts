/** Google Ads: the requests, and what the reader makes of answers and errors. */
import { describe, expect, test } from 'vitest';
import { hasData, ideaMetricOf, liveMetricOf, noMetrics } from '../../../lib/model/keyword-metrics.ts';
import { readIdeas, readVolumes } from '../../../lib/provider/google-ads/answer.ts';
import { ideasRequest, volumesRequest } from '../../../lib/provider/google-ads/call.ts';
import { googleAds } from '../../../lib/provider/google-ads/source.ts';
import { adsToken } from '../../../lib/provider/google-ads/token.ts';
import { volumeSources } from '../../../lib/provider/sources/volumes.ts';
import { access, answer, credentials } from './google-ads-given.ts';

describe('requests', () => {
  test('the token is requested with the refresh token, in a form', () => {
    const { url, body = '' } = adsToken.request(credentials);

    expect(url).toBe('https://oauth2.googleapis.com/token');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'client',
      client_secret: 'secret',
      refresh_token: 'refresh',
    });
  });

  test('volumes of a place and a language', () => {
    const market = { location: 2840, language: 'en-GB' };
    const { url, headers, body = '' } = volumesRequest({ access, keywords: ['coffee'], market });

    expect(url).toBe(
      'https://googleads.googleapis.com/v26/customers/1234567890:generateKeywordHistoricalMetrics',
    );
    expect(headers).toEqual({
      authorization: 'Bearer token',
      'content-type': 'application/json',
      'login-customer-id': '9876543210',
    });
    expect(JSON.parse(body)).toMatchObject({
      keywords: ['coffee'],
      geoTargetConstants: ['geoTargetConstants/2840'],
      language: 'languageConstants/1000',
    });
  });

  test('without a place and a language, the request names none', () => {
    const market = { location: null, language: null };
    const { body = '' } = volumesRequest({ access, keywords: ['coffee'], market });

    expect(Object.keys(JSON.parse(body))).not.toContain('geoTargetConstants');
    expect(Object.keys(JSON.parse(body))).not.toContain('language');
  });

  test.each([
    [{ keywords: ['a'], pageUrl: null }, { keywordSeed: { keywords: ['a'] } }],
    [{ keywords: [], pageUrl: 'https://a.example/' }, { urlSeed: { url: 'https://a.example/' } }],
    [
      { keywords: ['a'], pageUrl: 'https://a.example/' },
      { keywordAndUrlSeed: { url: 'https://a.example/', keywords: ['a'] } },
    ],
  ])('ideas from %j', (seeds, expected) => {
    const market = { location: 2276, language: 'de' };
    const { url, body = '' } = ideasRequest({ access, seeds, market, size: 100, pageToken: 'next' });

    expect(url).toBe('https://googleads.googleapis.com/v26/customers/1234567890:generateKeywordIdeas');
    expect(JSON.parse(body)).toMatchObject({ ...expected, pageSize: 100, pageToken: 'next' });
  });
});

test('the request for a token has no credentials in its address', () => {
  const { method, url, headers } = adsToken.request(credentials);

  expect(adsToken.data).toBe('token');
  expect([method, url]).toEqual(['POST', 'https://oauth2.googleapis.com/token']);
  expect(headers).toEqual({ 'content-type': 'application/x-www-form-urlencoded' });
});

test('credentials that cannot be read are an error of ours, because they were checked before', () => {
  expect(() => adsToken.request('')).toThrow('The credentials of Google Ads cannot be read');
});

test('a developer token is sent if there is one, and a manager only if there is one', () => {
  const { login_customer_id: _, ...own } = JSON.parse(credentials);
  const { headers } = volumesRequest({
    access: { ...access, credentials: JSON.stringify({ ...own, developer_token: 'dev' }) },
    keywords: [],
    market: { location: null, language: null },
  });

  expect(headers).toEqual({
    authorization: 'Bearer token',
    'content-type': 'application/json',
    'developer-token': 'dev',
  });
});

test('a call for ideas asks for concepts and devices, and a first page has no token', () => {
  const { method, body = '' } = ideasRequest({
    access,
    seeds: { keywords: ['a'], pageUrl: null },
    market: { location: null, language: 'de' },
    size: 99_999,
    pageToken: '',
  });

  expect(method).toBe('POST');
  expect(JSON.parse(body)).toEqual({
    keywordSeed: { keywords: ['a'] },
    language: 'languageConstants/1001',
    keywordPlanNetwork: 'GOOGLE_SEARCH',
    keywordAnnotation: ['KEYWORD_CONCEPT'],
    aggregateMetrics: { aggregateMetricTypes: ['DEVICE'] },
    pageSize: 10_000,
  });
});

test('a call for volumes includes keywords for adults', () => {
  const { body = '' } = volumesRequest({ access, keywords: ['a'], market: { location: 1, language: 'xx' } });

  expect(JSON.parse(body)).toEqual({
    keywords: ['a'],
    geoTargetConstants: ['geoTargetConstants/1'],
    keywordPlanNetwork: 'GOOGLE_SEARCH',
    includeAdultKeywords: true,
  });
});

test('Google Ads is a source with its own names and limits', () => {
  expect(googleAds).toMatchObject({
    name: 'google-ads',
    title: 'Google Ads',
    maxKeywords: 10_000,
    authorization: { secret: 'GOOGLE_ADS_CREDENTIALS' },
    volumes: { data: 'volumes' },
    ideas: { data: 'ideas' },
  });
  expect(volumeSources['google-ads']).toBe(googleAds);
});

describe('volumes', () => {
  const metrics = { avgMonthlySearches: '0', competition: 'HIGH', competitionIndex: '100' };

  test('0 searches are data, absent searches are not', () => {
    const read = readVolumes(
      answer({
        results: [
          { text: 'Zero', keywordMetrics: metrics },
          { text: 'nothing', keywordMetrics: {} },
          { text: 'bare' },
        ],
      }),
    );
    if (!read.ok) throw new Error(read.reason);

    expect([...read.value].map(([text, each]) => [text, hasData(each)])).toEqual([
      ['zero', true],
      ['nothing', false],
      ['bare', false],
    ]);
    expect(read.value.get('bare')).toEqual(noMetrics);
  });

  test('a row of its own goes before being a variant of another row, in any order of the rows', () => {
    const own = { text: 'shoe', keywordMetrics: { avgMonthlySearches: '1' } };
    const other = { text: 'shoes', closeVariants: ['shoe'], keywordMetrics: { avgMonthlySearches: '2' } };

    for (const results of [
      [own, other],
      [other, own],
    ]) {
      const read = readVolumes(answer({ results }));
      expect(read.ok && read.value.get('shoe')?.volume).toBe(1);
    }
  });

  test('what the source does not know is 0, an empty list or UNSPECIFIED', () => {
    expect(ideaMetricOf(noMetrics)).toEqual({
      competition: 'UNSPECIFIED',
      competition_index: 0,
      avg_monthly_searches: 0,
      low_top_of_page_bid_micros: 0,
      high_top_of_page_bid_micros: 0,
      monthly_search_volumes: [],
    });
    expect(liveMetricOf('k', noMetrics)).toEqual({
      key: 'k',
      cmp: 0,
      cpc: 0,
      ms: [],
      sv: 0,
      has_data: false,
    });
  });

  test('one bid alone is the mean', () => {
    expect(liveMetricOf('k', { ...noMetrics, highBidMicros: 2_000_000 }).cpc).toBe(2);
  });

  test('months without a name or a year, and words that are not known, are left out', () => {
    const keywordMetrics = {
      competition: 'UNKNOWN',
      competitionIndex: '101',
      monthlySearchVolumes: [
        { month: 'UNSPECIFIED', year: '2026', monthlySearches: '1' },
        { month: 'MAY', monthlySearches: '1' },
        { month: 'MAY', year: '2026' },
      ],
    };
    const read = readVolumes(answer({ results: [{ text: 'k', keywordMetrics }] }));

    expect(read.ok && read.value.get('k')).toEqual({
      ...noMetrics,
      months: [{ year: 2026, month: 5, searches: null }],
    });
  });

  test('figures are numbers in texts; others are not known', () => {
    const keywordMetrics = {
      avgMonthlySearches: '1234567890123456',
      competition: 'MEDIUM',
      competitionIndex: 100,
      lowTopOfPageBidMicros: '-1',
      highTopOfPageBidMicros: '17.5',
      monthlySearchVolumes: [{ month: 'DECEMBER', year: '2025', monthlySearches: '7' }],
    };
    const read = readVolumes(answer({ results: [{ text: 'K  k', closeVariants: null, keywordMetrics }] }));

    expect(read.ok && read.value.get('k k')).toEqual({
      volume: null,
      competition: 'MEDIUM',
      competitionIndex: 100,
      lowBidMicros: null,
      highBidMicros: null,
      months: [{ year: 2025, month: 12, searches: 7 }],
    });
  });

  test('what is null is not known', () => {
    const nothing = { avgMonthlySearches: null, competition: null, monthlySearchVolumes: null };
    const read = readVolumes(
      answer({
        results: [
          { text: 'a', keywordMetrics: nothing },
          { text: 'b', keywordMetrics: null },
        ],
      }),
    );

    expect(read.ok && [...read.value.values()]).toEqual([noMetrics, noMetrics]);
    expect(readVolumes(answer({ results: null }))).toEqual({ ok: true, value: new Map() });
  });

  test.each(['results', 'aggregateMetricResults', 'nextPageToken', 'totalSize', 'requestId'])(
    'an answer with %s alone is an answer',
    (name) => {
      expect(readVolumes(answer({ [name]: null }))).toEqual({ ok: true, value: new Map() });
    },
  );

  test('an answer without results is empty, and not malformed', () => {
    expect(readVolumes(answer({}))).toEqual({ ok: true, value: new Map() });
  });
});

describe('ideas', () => {
  test('have metrics and concepts; what the source does not know is empty', () => {
    const read = readIdeas(
      answer({
        results: [
          {
            text: 'green tea',
            keywordIdeaMetrics: { avgMonthlySearches: '70' },
            keywordAnnotations: {
              concepts: [
                { name: 'green', conceptGroup: { name: 'Colours', type: 'NON_BRAND' } },
                { name: 'tea' },
                {},
              ],
            },
          },
          { text: 'tea', keywordAnnotations: null },
        ],
        aggregateMetricResults: {
          deviceSearches: [{ device: 'MOBILE', searchCount: '9' }, { device: 'TV' }],
        },
        nextPageToken: 'next',
      }),
    );

    expect(read).toEqual({
      ok: true,
      value: {
        ideas: [
          {
            text: 'green tea',
            metrics: { ...noMetrics, volume: 70 },
            concepts: [
              { name: 'green', group: { name: 'Colours', type: 'NON_BRAND' } },
              { name: 'tea', group: { name: '', type: '' } },
              { name: '', group: { name: '', type: '' } },
            ],
          },
          { text: 'tea', metrics: noMetrics, concepts: [] },
        ],
        devices: [
          { device: 'MOBILE', searches: 9 },
          { device: 'TV', searches: null },
        ],
        nextPageToken: 'next',
      },
    });
  });

  test('may be none', () => {
    expect(readIdeas(answer({ results: [], aggregateMetricResults: null }))).toEqual({
      ok: true,
      value: { ideas: [], devices: [], nextPageToken: '' },
    });
  });
});
