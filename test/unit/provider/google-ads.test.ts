/** Google Ads: the requests, and what the reader makes of answers and errors. */
import { describe, expect, test } from 'vitest';
import { hasData, ideaMetricOf, liveMetricOf, noMetrics } from '../../../lib/model/keyword-metrics.ts';
import { errorMessageOf, type Fault } from '../../../lib/provider/contract.ts';
import { readIdeas, readVolumes } from '../../../lib/provider/google-ads/answer.ts';
import { ideasRequest, volumesRequest } from '../../../lib/provider/google-ads/call.ts';
import { googleAds } from '../../../lib/provider/google-ads/source.ts';
import { adsToken } from '../../../lib/provider/google-ads/token.ts';
import { volumeSources } from '../../../lib/provider/sources/volumes.ts';

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

test('the request for a token has no credentials in its address', () => {
  const { method, url, headers } = adsToken.request(credentials);

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
    ['the header, with two figures', answer('', 429, { 'retry-after': '75' }), 75],
    ['a message in the singular', answer(failure({ quotaError: 'X' }, 'Retry in 1 second.'), 429), 1],
    [
      'whole and broken seconds of the details',
      answer(
        failure({ quotaError: 'X' }, '', { details: { quotaErrorDetails: { retryDelay: '12.25s' } } }),
        429,
      ),
      13,
    ],
    [
      'no delay in other words',
      answer(
        failure({ quotaError: 'X' }, '', { details: { quotaErrorDetails: { retryDelay: 'in 12s or so' } } }),
        429,
      ),
      30,
    ],
    [
      'nothing, with details of another kind',
      answer(failure({ quotaError: 'X' }, '', { details: {} }), 429),
      30,
    ],
    ['no half of a header', answer('', 429, { 'retry-after': '7 or 8' }), 30],
    ['no end of a header', answer('', 429, { 'retry-after': 'about 7' }), 30],
    ['no date of the header', answer('', 429, { 'retry-after': 'Sun, 22 Nov 2026 08:01:30 GMT' }), 30],
    [
      'the message of an error rather than the outer one',
      answer(
        {
          error: {
            message: 'Retry in 12 seconds.',
            details: [{ errors: [{ errorCode: { quotaError: 'X' }, message: 'Retry in 40 seconds.' }] }],
          },
        },
        429,
      ),
      40,
    ],
    ['the outer message', answer({ error: { message: 'Retry in 12 seconds.' } }, 429), 12],
    ['one second at least', answer(failure({ quotaError: 'X' }, 'Retry in 0 seconds.'), 429), 1],
  ])('the wait is in %s', (_, given, seconds) => {
    expect(readVolumes(given)).toMatchObject({ retryAfterSeconds: seconds });
  });

  test.each<[string, object[] | undefined, object[]]>([
    ['a keyword by its index', [{ fieldName: 'keywords', index: 3 }], [{ field: 'keywords', index: 3 }]],
    ['the first keyword', [{ fieldName: 'keywords', index: 0 }], [{ field: 'keywords', index: 0 }]],
    ['an index as a text', [{ fieldName: 'keywords', index: '12' }], [{ field: 'keywords', index: 12 }]],
    [
      'an index of a later part of the path',
      [{ fieldName: 'keywords' }, { fieldName: 'text', index: 5 }, { fieldName: 'x', index: 9 }],
      [{ field: 'keywords', index: 5 }],
    ],
    [
      'no index that is not a whole number',
      [
        { fieldName: 'keywords', index: 'first' },
        { fieldName: 'text', index: 1.5 },
      ],
      [{ field: 'keywords' }],
    ],
    ['a place', [{ fieldName: 'geo_target_constants', index: 0 }], [{ field: 'location', index: 0 }]],
    ['a place in the names of JSON', [{ fieldName: 'geoTargetConstants' }], [{ field: 'location' }]],
    [
      'a field with another beginning',
      [{ fieldName: 'my_geo_target_constants' }],
      [{ field: 'my_geo_target_constants' }],
    ],
    ['another field', [{ fieldName: 'geo_target_constants_of' }], [{ field: 'geo_target_constants_of' }]],
    ['nothing, with an empty path', [], []],
    ['nothing, without a path', undefined, []],
  ])('what is refused: %s', (_, fieldPathElements, at) => {
    const location = fieldPathElements && { fieldPathElements };
    const given = answer(
      failure({ keywordPlanIdeaError: 'INVALID_VALUE' }, 'bad', location ? { location } : {}),
      400,
    );

    expect(readVolumes(given)).toMatchObject({ problem: 'rejected', at });
    expect((readVolumes(given) as Fault).at).toHaveLength(at.length);
  });

  test('only a rejection says what is wrong, and only a throttle says when to come back', () => {
    const down = readVolumes(answer('', 500));
    const rejected = readVolumes(answer('', 400));

    expect([Object.keys(down), Object.keys(rejected)].map((names) => names.toSorted())).toEqual([
      ['ok', 'problem', 'reason', 'word'],
      ['at', 'ok', 'problem', 'reason', 'word'],
    ]);
  });

  test.each([
    [answer('', 401), 'upstream: Google Ads does not accept the credentials (status 401)'],
    [answer('', 403), 'upstream: Google Ads does not give this account access (status 403)'],
    [answer('', 429), 'throttled: Google Ads takes no more calls now (status 429)'],
    [answer('', 400), 'upstream: Google Ads refused the request (status 400)'],
    [answer('', 503), 'unreachable: Google Ads failed (status 503)'],
    [answer('', 302), 'upstream: Google Ads gave an answer that cannot be read'],
    [
      answer(failure({ quotaError: 'RESOURCE_EXHAUSTED' }, 'Too many. '), 429),
      'throttled: Google Ads takes no more calls now (RESOURCE_EXHAUSTED: Too many)',
    ],
    [
      answer({ error: { message: 'Outer words.', status: 'PERMISSION_DENIED' } }, 403),
      'upstream: Google Ads does not give this account access (Outer words)',
    ],
    [
      answer(failure({ a: 'A', b: 'B', c: 'C', d: 'D' }, ''), 400),
      'upstream: Google Ads refused the request (A, B, C: outer)',
    ],
  ])('%#: clients read a stable word and a sentence: %s', (given, message) => {
    expect(errorMessageOf(readVolumes(given) as Fault)).toBe(message);
  });

  test.each([
    ['RESOURCE_EXHAUSTED', 'throttled'],
    ['UNAUTHENTICATED', 'credentials'],
    ['PERMISSION_DENIED', 'access'],
    ['UNAVAILABLE', 'down'],
    ['INTERNAL', 'down'],
    ['NOT_FOUND', 'malformed'],
  ])('%s with status 200 is %s', (status, problem) => {
    expect(readVolumes(answer({ error: { status } }))).toMatchObject({ problem });
  });

  test.each([
    ['quotaError', 'throttled'],
    ['authenticationError', 'credentials'],
    ['authorizationError', 'access'],
    ['internalError', 'down'],
    ['requestError', 'rejected'],
  ])('%s with status 400 is %s', (family, problem) => {
    expect(readVolumes(answer(failure({ [family]: 'X' }), 400))).toMatchObject({ problem });
  });

  test('a reason has the words of the message, without its stop and without other signs', () => {
    const read = readVolumes(answer(failure({ requestError: 'X' }, ' One.\u00e9\u00e9Two. Three. '), 400));

    expect(!read.ok && read.reason).toBe('Google Ads refused the request (X: One. Two. Three)');
  });

  test('volumes with a field of an answer and others are an answer', () => {
    expect(readVolumes(answer({ results: [], other: 1 })).ok).toBe(true);
    expect(readVolumes(answer({ other: 1 })).ok).toBe(false);
    expect(readVolumes(answer('null')).ok).toBe(false);
    expect(readVolumes(answer({ results: [] }, 204)).ok).toBe(false);
  });

  test('a variant has the metrics of its row', () => {
    const row = { text: 'shoes', closeVariants: ['Shoe'], keywordMetrics: { avgMonthlySearches: '2' } };
    const read = readVolumes(answer({ results: [row] }));

    expect(read.ok && read.value.get('shoe')?.volume).toBe(2);
  });

  test('a reason has one line and no more than 200 characters of a message', () => {
    const read = readVolumes(answer(failure({ requestError: 'X' }, `a\nb${'c'.repeat(500)}`), 400));

    expect(!read.ok && read.reason).toMatch(/^[\x20-\x7e]{1,300}$/);
  });

  test.each([
    [
      answer({ error: 'invalid_grant', error_description: 'Token has expired.' }, 400),
      'invalid_grant: Token has expired',
    ],
    [answer({ error: 'invalid_client' }, 401), 'invalid_client'],
    [answer('', 403), 'status 403'],
  ])('%#: a refused token is a fault of the credentials (%s)', (given, words) => {
    expect(adsToken.read(given)).toEqual({
      ok: false,
      problem: 'credentials',
      word: 'upstream',
      reason: `Google Ads does not accept the credentials (${words})`,
    });
  });

  test.each([500, 503, 429])('a token service that answers %i is down', (status) => {
    expect(adsToken.read(answer('', status))).toEqual({
      ok: false,
      problem: 'down',
      word: 'unreachable',
      reason: `Google's token service failed (status ${status})`,
    });
  });

  test('a token without a life is valid for an hour', () => {
    expect(adsToken.read(answer({ access_token: 't' }))).toMatchObject({ value: { seconds: 3600 } });
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
