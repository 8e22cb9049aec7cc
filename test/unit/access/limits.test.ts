/** Limits of requests, of pages, of failed keys and of waits, with counters in memory. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countFailedKey, countPages, countRequest } from '../../../lib/access/rate.ts';
import { whileWaiting } from '../../../lib/access/wait-slot.ts';
import type { Account } from '../../../lib/model/user.ts';
import { scope, withScope } from '../../../lib/runtime/scope.ts';
import { counters, limits } from './accounts.ts';

vi.mock(import('../../../lib/store/limits.ts'), () => import('./accounts.ts').then(({ limits }) => limits));

/** The first second of a minute. */
const minute = 1_790_000_040;
const user = (rate_limit: number) => ({ id: 7, rate_limit }) as Account;

beforeEach(() => {
  counters.clear();
  vi.restoreAllMocks();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the requests of a user', () => {
  test('are counted in the present minute, with what remains', async () => {
    expect(await countRequest(user(2), minute)).toEqual({
      'RateLimit-Limit': '2',
      'RateLimit-Remaining': '1',
      'RateLimit-Reset': '60',
    });
    expect(await countRequest(user(2), minute + 59)).toMatchObject({
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '1',
    });
    expect([...counters.keys()]).toEqual([`user#7#${minute + 60}`]);
  });

  test('beyond the limit are refused until the next minute', async () => {
    await countRequest(user(1), minute);

    for (const at of [minute + 1, minute + 58]) {
      await expect(countRequest(user(1), at)).rejects.toMatchObject({
        statusCode: 429,
        detail: 'Too many requests: wait for the next minute',
        headers: {
          'RateLimit-Limit': '1',
          'RateLimit-Remaining': '0',
          'RateLimit-Reset': String(minute + 60 - at),
          'Retry-After': String(minute + 60 - at),
        },
      });
    }
    expect(await countRequest(user(1), minute + 60)).toMatchObject({ 'RateLimit-Remaining': '0' });
  });

  test('are not counted without a limit', async () => {
    expect(await countRequest(user(0), minute)).toEqual({});
    expect(counters.size).toBe(0);
  });

  test('of a large limit are counted by several counters, each with its part of the limit', async () => {
    const largest = user(120_001);
    const headers = await Promise.all(Array.from({ length: 200 }, () => countRequest(largest, minute)));

    expect([...counters.keys()].toSorted()).toEqual([0, 1, 2].map((item) => `user#7/${item}#${minute + 60}`));
    const remaining = headers.map((each) => 120_001 - Number(each['RateLimit-Remaining']));
    expect(Math.min(...remaining)).toBe(3);
    expect(Math.max(...remaining)).toBe(3 * Math.max(...counters.values()));
    counters.clear();
    await countRequest(user(60_000), minute);
    expect([...counters.keys()]).toEqual([`user#7#${minute + 60}`]);
  });
});

describe('the pages of batches', () => {
  test('may reach 25 times the limit, with the batch that reaches it', async () => {
    await countPages(user(4), 99, minute);
    await countPages(user(4), 1000, minute + 1);

    await expect(countPages(user(4), 1, minute + 59)).rejects.toMatchObject({
      statusCode: 429,
      detail: 'Too many pages: wait for the next minute',
      headers: { 'Retry-After': '1' },
    });
    await countPages(user(4), 100, minute + 60);
    expect(Object.fromEntries(counters)).toEqual({
      [`pages#7#${minute + 60}`]: 1099,
      [`pages#7#${minute + 120}`]: 100,
    });
  });

  test('are not counted without a limit', async () => {
    await countPages(user(0), 1_000_000, minute);

    expect(counters.size).toBe(0);
  });
});

test('an address has thirty failed keys in a minute', async () => {
  const fail = (address: string, at = minute) =>
    countFailedKey(address, at).then(
      () => 'counted',
      ({ statusCode }) => statusCode,
    );
  const outcomes = [];
  for (let n = 0; n < 31; n++) outcomes.push(await fail('192.0.2.1'));

  expect(outcomes).toEqual([...Array(30).fill('counted'), 429]);
  expect(await fail('192.0.2.2')).toBe('counted');
  expect(await fail('192.0.2.1', minute + 60)).toBe('counted');
  expect(counters.has(`failed-key#192.0.2.1#${minute + 60}`)).toBe(true);
});

describe('a request that waits', () => {
  const run = (work: () => Promise<unknown> = async () => 'done', account = user(5), at = minute) =>
    whileWaiting(account, work, at);

  test('has a slot until its end, and is marked as waiting', async () => {
    const slots = () => [...counters.values()];
    const waits = withScope({}, () => run(async () => [slots(), scope().waits]));

    expect(await waits).toEqual([[1], true]);
    expect(Object.fromEntries(counters)).toEqual({ [`waits##7#${minute + 30}`]: 0 });
  });

  test('releases its slot if it fails', async () => {
    await expect(run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect([...counters.values()]).toEqual([0]);
  });

  test('is refused while fifty others wait, also those of the window before', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const waiting = Array.from({ length: 50 }, () => run(() => end));
    const work = vi.fn();

    await expect(run(work, user(5), minute + 29)).rejects.toMatchObject({
      statusCode: 429,
      detail: 'Too many requests that wait: wait until some of them have ended',
      headers: { 'Retry-After': expect.stringMatching(/^[12]?\d$/) },
    });
    await expect(run(work, user(5), minute + 30)).rejects.toMatchObject({ statusCode: 429 });
    expect(work).not.toHaveBeenCalled();
    expect(await run(undefined, user(5), minute + 60)).toBe('done');
    resolve();
    await Promise.all(waiting);
    expect(await run(undefined, user(5), minute + 30)).toBe('done');
  });

  test('needs no slot if the account has no limit', async () => {
    expect(await run(undefined, user(0))).toBe('done');
    expect(counters.size).toBe(0);
  });

  test('is refused while others of the same area wait, whoever they are, and frees its own slot', async () => {
    vi.stubEnv('AREA', 'serp');
    vi.stubEnv('WAITS', '2');
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const userOf = (id: number) => ({ id, rate_limit: id === 2 ? 0 : 5 }) as Account;
    const waiting = [1, 2].map((id) => run(() => end, userOf(id)));
    const work = vi.fn();

    await expect(run(work, userOf(3))).rejects.toMatchObject({
      statusCode: 503,
      detail: 'Too many requests of all users wait now: send the request again later',
      headers: { 'Retry-After': expect.stringMatching(/^[12]?\d$/) },
    });
    expect(work).not.toHaveBeenCalled();
    expect(counters.get(`waits#serp#3#${minute + 30}`)).toBe(0);
    vi.stubEnv('AREA', 'keyword');
    expect(await run(undefined, userOf(3))).toBe('done');
    resolve();
    await Promise.all(waiting);
    expect(counters.get(`waits#serp#${minute + 30}`)).toBe(0);
  });

  test('is answered although its slot could not be released', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.spyOn(limits, 'uncountInWindow').mockRejectedValue(
      Object.assign(new Error('slow down'), { name: 'ThrottlingException' }),
    );

    expect(await run()).toBe('done');
    expect(String(write.mock.calls[0]?.[0])).toContain('AWS refused');
  });
});
