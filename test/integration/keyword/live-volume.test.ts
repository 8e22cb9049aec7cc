/** Live volumes against Google Ads on loopback, with real tables. */
import { expect, test } from 'vitest';
import { accountOf } from '../account.ts';
import { ads, byLength, failure } from './given.ts';

const { findLiveVolumes } = await import('../../../lib/keyword/ads/live-volume.ts');

let place = 1_500_000;
const newPlace = () => (place += 1);

const live = (keywords: string[], location_code: number, userId = 1) =>
  findLiveVolumes(accountOf(userId), { keywords, location_code, language_code: 'en' });

test('the results keep the order of the keywords; duplicates and cases are asked once', async () => {
  ads.answer = byLength;

  const { body, headers } = await live(['milk', 'Tea', 'tea', 'milk', ''], newPlace());

  expect(body.results.map(({ key, sv }) => [key, sv])).toEqual([
    ['milk', 4],
    ['Tea', 3],
    ['tea', 3],
    ['milk', 4],
    ['', 0],
  ]);
  expect(ads.asked.map((asked) => asked.body.keywords)).toEqual([['milk', 'tea']]);
  expect(headers).toEqual({ 'x-cache': 'miss' });
});

test('the header says what came from the cache, for all users', async () => {
  const location = newPlace();
  ads.answer = byLength;
  await live(['tea'], location);

  expect((await live(['TEA'], location, 2)).headers).toEqual({
    'x-cache': 'hit',
    age: expect.stringMatching(/^\d+$/),
  });
  expect((await live(['tea', 'milk'], location, 2)).headers).toMatchObject({ 'x-cache': 'partial' });
  expect(ads.asked).toHaveLength(2);
});

test('METRICS_HOURS=0 asks every time', async () => {
  process.env.METRICS_HOURS = '0';
  const location = newPlace();
  ads.answer = byLength;

  await live(['tea'], location);
  await live(['tea'], location);

  expect(ads.asked).toHaveLength(2);
});

test('identical requests in flight ask once', async () => {
  const location = newPlace();
  const answered = Promise.withResolvers<void>();
  ads.answer = async (asked) => {
    await answered.promise;
    return byLength(asked);
  };
  const first = live(['tea', 'milk'], location);
  const second = live(['Milk', 'tea'], location, 2);
  answered.resolve();

  const both = await Promise.all([first, second]);

  expect(both.map(({ body }) => body.results.map(({ sv }) => sv))).toEqual([
    [3, 4],
    [4, 3],
  ]);
  expect(ads.asked).toHaveLength(1);
});

test('no keywords need no source', async () => {
  expect(await live([], newPlace())).toEqual({ body: { results: [] }, headers: { 'x-cache': 'miss' } });
  expect(ads.asked).toEqual([]);
});

test.each([
  ['credentials', failure(401, 'UNAUTHENTICATED', { errorCode: { authenticationError: 'NOT_ADS_USER' } })],
  ['access', failure(403, 'PERMISSION_DENIED', { errorCode: { authorizationError: 'X' } })],
  ['malformed', { body: { unexpected: true } }],
  ['down', { status: 500, body: '' }],
])('%s is 502 with a sentence', async (_, answer) => {
  ads.answer = () => answer;

  await expect(live(['tea'], newPlace())).rejects.toMatchObject({
    statusCode: 502,
    detail: expect.stringMatching(/^The source gave no data: Google Ads /),
  });
});

test('a place that the source does not know is 422', async () => {
  const location = { fieldPathElements: [{ fieldName: 'geo_target_constants', index: 0 }] };
  ads.answer = () => failure(400, 'INVALID_ARGUMENT', { errorCode: { requestError: 'X' }, location });

  await expect(live(['tea'], newPlace())).rejects.toMatchObject({
    statusCode: 422,
    detail: [{ loc: ['body', 'location_code'], type: 'value_error' }],
  });
});

test('a revoked refresh token is 502', async () => {
  ads.token = () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'revoked' } });

  await expect(live(['tea'], newPlace())).rejects.toMatchObject({
    statusCode: 502,
    detail: expect.stringContaining('invalid_grant'),
  });
});

test('over quota is 503 with the wait of the source; then nobody asks until its end', async () => {
  const details = { quotaErrorDetails: { retryDelay: '77s' } };
  ads.answer = () => failure(429, 'RESOURCE_EXHAUSTED', { errorCode: { quotaError: 'X' }, details });

  await expect(live(['tea'], newPlace())).rejects.toMatchObject({
    statusCode: 503,
    headers: { 'Retry-After': '77' },
  });
  await expect(live(['milk'], newPlace())).rejects.toMatchObject({
    statusCode: 503,
    headers: { 'Retry-After': expect.stringMatching(/^[67]\d$/) },
  });
  expect(ads.asked).toHaveLength(1);
});
