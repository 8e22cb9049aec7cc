/** The faults of Google Ads: what the reader makes of refusals, broken answers and connections. */
import { describe, expect, test } from 'vitest';
import { errorMessageOf, type Fault } from '../../../lib/provider/contract.ts';
import { readIdeas, readVolumes } from '../../../lib/provider/google-ads/answer.ts';
import { adsToken } from '../../../lib/provider/google-ads/token.ts';
import { answer } from './google-ads-given.ts';

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
    ...['in 12s', '12s or so'].map((retryDelay): [string, ReturnType<typeof answer>, number] => [
      `no delay in other words: ${retryDelay}`,
      answer(failure({ quotaError: 'X' }, '', { details: { quotaErrorDetails: { retryDelay } } }), 429),
      30,
    ]),
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
    const location = { fieldPathElements };
    const given = answer(failure({ keywordPlanIdeaError: 'INVALID_VALUE' }, 'bad', { location }), 400);

    expect(readVolumes(given)).toMatchObject({
      problem: 'rejected',
      reason: 'Google Ads refused the request (INVALID_VALUE: bad)',
    });
    expect((readVolumes(given) as Fault).at).toStrictEqual(at);
  });

  test('details of another kind are skipped', () => {
    const given = failure({ keywordPlanIdeaError: 'INVALID_VALUE' }, 'bad');
    const details = [{ '@type': 'type.googleapis.com/google.rpc.Help' }, ...given.error.details];

    expect(errorMessageOf(readVolumes(answer({ error: { ...given.error, details } }, 400)) as Fault)).toBe(
      'upstream: Google Ads refused the request (INVALID_VALUE: bad)',
    );
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
      answer({ error: { message: 'outer', details: [{ errors: [{ errorCode: { a: 'A' } }] }] } }, 400),
      'upstream: Google Ads refused the request (A: outer)',
    ],
    [answer({ error: {} }, 400), 'upstream: Google Ads refused the request (status 400)'],
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
    expect(adsToken.read(answer({ access_token: 'ya29.t', expires_in: 10 }))).toEqual({
      ok: true,
      value: { token: 'ya29.t', seconds: 10 },
    });
  });
});
