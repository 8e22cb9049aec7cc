/** Google Ads: the requests, and what the reader makes of answers and errors. */
import { describe, expect, test } from 'vitest';
import { hasData, ideaMetricOf, liveMetricOf, noMetrics } from '../../../lib/model/keyword-metrics.ts';
import { readIdeas, readVolumes } from '../../../lib/provider/google-ads/answer.ts';
import { ideasRequest, volumesRequest } from '../../../lib/provider/google-ads/call.ts';
import { adsToken } from '../../../lib/provider/google-ads/token.ts';

const credentials = JSON.stringify({
  client_id: 'client',
  client_secret: 'secret',
  refresh_token: 'refresh',
  customer_id: '123-456-7890',
  login_customer_id: '987-654-3210',
});
const access = { credentials, token: 'token', version: 'v26' };
const answer = (value: unknown, status = 200, headers = {}) => ({
  status,
  headers,
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

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

  test('an answer without results is empty, and not malformed', () => {
    expect(readVolumes(answer({}))).toEqual({ ok: true, value: new Map() });
  });
});

const failure = (errorCode: object, message = 'M.', more: object = {}) => ({
  error: { code: 0, message: 'outer', status: '', details: [{ errors: [{ errorCode, message, ...more }] }] },
});

describe('faults', () => {
  test.each([
    ['no JSON', answer('<html>', 200), 'malformed'],
    ['another object', answer({ keywords: {} }), 'malformed'],
    ['a list', answer([]), 'malformed'],
    ['results of another type', answer({ results: [{ text: 1 }] }), 'malformed'],
    ['an error with status 200', answer(failure({ quotaError: 'RESOURCE_EXHAUSTED' })), 'throttled'],
    [
      'an error in a list',
      answer([failure({ authorizationError: 'USER_PERMISSION_DENIED' })], 403),
      'access',
    ],
    ['401 without a body', answer('', 401), 'credentials'],
    ['NOT_ADS_USER', answer(failure({ authenticationError: 'NOT_ADS_USER' }), 401), 'credentials'],
    ['403 in plain JSON', answer({ error: { message: 'requires a quota project' } }, 403), 'access'],
    ['429 without a body', answer('', 429), 'throttled'],
    ['500', answer('', 500), 'down'],
    ['503 in HTML', answer('<html>', 503), 'down'],
    ['400', answer(failure({ keywordPlanIdeaError: 'URL_CRAWL_ERROR' }), 400), 'rejected'],
    ['a redirect', answer('', 302), 'malformed'],
  ])('%s', (_, given, problem) => {
    expect(readVolumes(given)).toMatchObject({ ok: false, problem });
    expect(readIdeas(given)).toMatchObject({ ok: false, problem });
  });

  const details = { quotaErrorDetails: { retryDelay: '1.5s' } };
  test.each([
    ['the details', answer(failure({ quotaError: 'X' }, 'Retry in 9 seconds.', { details }), 429), 2],
    ['the message', answer(failure({ quotaError: 'X' }, 'Too many requests. Retry in 30 seconds.'), 429), 30],
    ['the header', answer('', 429, { 'retry-after': '7' }), 7],
    ['nothing', answer('', 429), 30],
  ])('the wait is in %s', (_, given, seconds) => {
    expect(readVolumes(given)).toMatchObject({ retryAfterSeconds: seconds });
  });

  test('an invalid keyword is named by its index, an invalid place by its field', () => {
    const location = { fieldPathElements: [{ fieldName: 'keywords', index: 3 }] };
    const given = answer(failure({ keywordPlanIdeaError: 'INVALID_VALUE' }, 'bad', { location }), 400);

    expect(readVolumes(given)).toMatchObject({ problem: 'rejected', at: [{ field: 'keywords', index: 3 }] });
  });

  test('a reason has one line and no more than 200 characters of a message', () => {
    const read = readVolumes(answer(failure({ requestError: 'X' }, `a\nb${'c'.repeat(500)}`), 400));

    expect(!read.ok && read.reason).toMatch(/^[\x20-\x7e]{1,300}$/);
  });

  test('a token that is none is malformed; a failing token service is down', () => {
    expect(adsToken.read(answer({ access_token: 'a b' }))).toMatchObject({ problem: 'malformed' });
    expect(adsToken.read(answer('', 503))).toMatchObject({ problem: 'down' });
    expect(adsToken.read(answer({ access_token: 't', expires_in: 10 }))).toEqual({
      ok: true,
      value: { token: 't', seconds: 10 },
    });
  });
});
