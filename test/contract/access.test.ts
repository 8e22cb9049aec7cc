/** API keys and rate limits (Readings 25 and 26). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callArea } from '../api-call.ts';
import { detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('the API key', () => {
  test.each([
    ['Bearer good', 404],
    ['bearer good', 404],
    ['BEARER good', 404],
    ['Bearer  good', 404],
    ['Bearer good extra', 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['good', 401],
    ['Basic good', 401],
    ['Token good', 401],
    ['Bearer nope', 401],
    ['Bearer "good"', 401],
    ['Bearer good,', 401],
    ['Bearergood', 401],
    ['', 401],
  ])('is read from `%s`: status %i', async (authorization, status) => {
    const answer = await service.call({
      method: 'GET',
      path: `${onePath}/17`,
      headers: { Authorization: authorization.replace('good', service.apiKey) },
      body: null,
    });

    expect(answer.status).toBe(status);
    if (status === 401) {
      expect(detailOf(answer)).toBe('Could not validate credentials');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('is read from a header with a lower-case name', async () => {
    const request = {
      method: 'GET',
      path: `${onePath}/17`,
      headers: { authorization: `Bearer ${service.apiKey}` },
    };

    expect((await callArea(service.serp, request)).status).toBe(404);
  });

  test('is refused if the account is disabled or expired', async () => {
    const { putAccount, readAccount } = await import('../../lib/store/users.ts');
    const good = await service.createAccount({ rate_limit: 0 });
    const row = (await readAccount(good.account.id))!;
    const { hashApiKey, makeApiKey } = await import('../../lib/access/api-key.ts');
    const keyWith = async (id: number, changes: Partial<typeof row>) => {
      const key = makeApiKey();
      await putAccount({ ...row, id, key_hash: hashApiKey(key), ...changes });
      return key;
    };
    const now = Math.floor(Date.now() / 1000);
    const read = async (key: string) =>
      (
        await service.call({
          method: 'GET',
          path: `${onePath}/17`,
          headers: { Authorization: `Bearer ${key}` },
        })
      ).status;

    expect(await read(await keyWith(901, { enabled: false }))).toBe(401);
    expect(await read(await keyWith(902, { ttl: now - 1 }))).toBe(401);
    expect(await read(await keyWith(903, { ttl: now + 60 }))).toBe(404);
  });
});

describe('the rate limit', () => {
  test('is shown in the headers of successful answers', async () => {
    const { apiKey: key } = await service.createAccount({ rate_limit: 5 });
    const { headers, status } = await service.call({ headers: { Authorization: `Bearer ${key}` } });

    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '4' });
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0);
  });

  test('answers 429 with the time to wait above the limit', async () => {
    const { apiKey: key } = await service.createAccount({ rate_limit: 2 });
    const answers = [];
    for (let n = 0; n < 5; n++)
      answers.push(await service.call({ headers: { Authorization: `Bearer ${key}` } }));
    const refused = answers.find(({ status }) => status === 429);

    expect(detailOf(refused!)).toEqual(expect.any(String));
    expect(refused?.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' });
    expect(refused?.headers['retry-after']).toBe(refused?.headers['ratelimit-reset']);
  });

  test('answers 429 to batches with too many pages, and queues none of them', async () => {
    const { apiKey: key } = await service.createAccount({ rate_limit: 10 });
    const search = { keyword: 'tea', location_name: 'Canada', iso_code: 'CA', depth: 100 };
    const send = (count: number) =>
      service.call({
        path: '/api/v2/serp/crawl/google/batch',
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify(Array(count).fill(search)),
      });
    const answers = [await send(30), await send(1)];

    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(detailOf(answers[1]!)).toBe('Too many pages: wait for the next minute');
    expect(Number(answers[1]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('does not count an account without a limit', async () => {
    expect((await service.call()).headers).not.toHaveProperty('ratelimit-limit');
  });

  test('answers 429 instead of 401 to an address with too many wrong keys, but still accepts a good key from there', async () => {
    const guess = (key: string) =>
      service.call({
        method: 'GET',
        path: `${onePath}/17`,
        sourceIp: '192.0.2.7',
        headers: { Authorization: `Bearer ${key}` },
      });
    const statuses = [];
    for (let n = 0; n < 62; n++) statuses.push((await guess('guess')).status);

    // The requests span at most two windows, and the first 30 of each window get 401.
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401));
    expect(statuses).toContain(429);
    expect((await guess(service.apiKey)).status).toBe(404);
    expect(
      (await service.call({ headers: { Authorization: 'Bearer guess' }, sourceIp: '192.0.2.8' })).status,
    ).toBe(401);
  });
});
