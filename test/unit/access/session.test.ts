/** Sessions of the console: who gets one, and until when. The tables and the secret are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hashApiKey, makeApiKey } from '../../../lib/access/api-key.ts';
import { openSession, readSession, renewSession } from '../../../lib/access/session.ts';
import { makeToken, verifyToken } from '../../../lib/access/token.ts';
import type { Account } from '../../../lib/model/user.ts';
import { accounts, counters } from './accounts.ts';

vi.mock(import('../../../lib/store/users.ts'), () => import('./accounts.ts').then(({ users }) => users));
vi.mock(import('../../../lib/store/limits.ts'), () => import('./accounts.ts').then(({ limits }) => limits));
vi.mock(import('../../../lib/runtime/secret.ts'), () => ({
  keepSecret: () => async () => JSON.stringify({ kid: 'a1', key: 'k'.repeat(64) }),
}));

/** The first second of a minute. */
const now = 1_790_000_040;
const halfDay = 12 * 3600;
const key = makeApiKey();
const user = {
  id: 7,
  name: 'Ada',
  email: 'ada@example.com',
  permissions: ['serp', 'keyword'],
  read_only: true,
};
const account = {
  ...user,
  enabled: true,
  ttl: 0,
  rate_limit: 2,
  key_hash: hashApiKey(key),
  key_until: 0,
} as unknown as Account;
const change = (fields: object) => accounts.set(7, { ...account, ...fields });

beforeEach(() => {
  accounts.clear();
  counters.clear();
  accounts.set(7, account);
});

describe('a key', () => {
  test('opens a session that shows its user, and says when the key was given', async () => {
    const opened = await openSession(key, '1.2.3.4', now);

    expect(opened).toEqual({ token: expect.any(String), user });
    const claims = await verifyToken(opened.token, now);
    expect(claims).toMatchObject({ id: 7, since: now });
    expect(claims?.isMadeWith(hashApiKey(key))).toBe(true);
    expect(counters).toEqual(new Map([[`user#7#${now + 60}`, 1]]));
  });

  test('of a user who may write opens a session that says so', async () => {
    change({ read_only: undefined });

    expect((await openSession(key, '1.2.3.4', now)).user).toEqual({ ...user, read_only: false });
  });

  test('that does not work opens none, and counts against its address', async () => {
    await expect(openSession(makeApiKey(), '1.2.3.4', now)).rejects.toThrow(
      expect.objectContaining({ statusCode: 401, detail: 'Could not validate credentials' }),
    );
    expect(counters).toEqual(new Map([[`failed-key#1.2.3.4#${now + 60}`, 1]]));
  });

  test('opens as many sessions as its user may send requests', async () => {
    for (let n = 0; n < 2; n++) await openSession(key, '1.2.3.4', now);

    await expect(openSession(key, '1.2.3.4', now)).rejects.toThrow(
      expect.objectContaining({ statusCode: 429 }),
    );
  });
});

const ends: [string, (token: string) => { token: string | null; at?: number }][] = [
  ['an absent token', () => ({ token: null })],
  ['a token after its hour', (token) => ({ token, at: now + 3600 })],
  ['a changed token', (token) => ({ token: `${token.slice(0, -4)}AAAA` })],
  [
    'a token whose user is gone',
    (token) => {
      accounts.clear();
      return { token };
    },
  ],
  [
    'a token whose user is disabled',
    (token) => {
      change({ enabled: false });
      return { token };
    },
  ],
  [
    'a token whose user has expired',
    (token) => {
      change({ ttl: now });
      return { token };
    },
  ],
  [
    'a token whose key was replaced',
    (token) => {
      change({ key_hash: hashApiKey(makeApiKey()) });
      return { token };
    },
  ],
];

describe('the user of a session', () => {
  test('is that of the token, and no request is counted for it', async () => {
    const { token } = await openSession(key, '1.2.3.4', now);
    counters.clear();

    expect(await readSession(token, now + 3599)).toEqual(user);
    expect(counters.size).toBe(0);
  });

  test.each(ends)('is nobody with %s', async (_, end) => {
    const { token, at = now } = end((await openSession(key, '1.2.3.4', now)).token);
    counters.clear();

    expect(await readSession(token, at)).toBeNull();
    expect(counters.size).toBe(0);
  });
});

describe('a session', () => {
  const ended = expect.objectContaining({
    statusCode: 401,
    detail: 'The session has ended',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

  test('goes on for an hour each time, from the key that opened it', async () => {
    const first = await openSession(key, '1.2.3.4', now);
    const renewed = await renewSession(first.token, now + 3000);

    expect(renewed.user).toEqual(user);
    const claims = await verifyToken(renewed.token, now + 6599);
    expect(claims).toMatchObject({ id: 7, since: now });
    expect(claims?.isMadeWith(hashApiKey(key))).toBe(true);
    expect(await readSession(renewed.token, now + 6600)).toBeNull();
  });

  test('of the former key of its user goes on with that key', async () => {
    const former = makeApiKey();
    change({ other_key_hash: hashApiKey(former), other_key_until: now + 100 });
    const { token } = await openSession(former, '1.2.3.4', now);
    const renewed = await renewSession(token, now + 99);

    expect((await verifyToken(renewed.token, now + 99))?.isMadeWith(hashApiKey(former))).toBe(true);
    expect(await readSession(renewed.token, now + 99)).toEqual(user);
    expect(await readSession(renewed.token, now + 100)).toBeNull();
  });

  test('ends half a day after its key was given', async () => {
    const tokenAt = (at: number) => makeToken(7, hashApiKey(key), at, now);
    const last = now + halfDay - 1;

    expect((await renewSession(await tokenAt(last), last)).user).toEqual(user);
    await expect(renewSession(await tokenAt(last), last + 1)).rejects.toThrow(ended);
  });

  test('is none with a token of the password grant', async () => {
    await expect(renewSession(await makeToken(7, hashApiKey(key), now), now)).rejects.toThrow(ended);
  });

  test.each(ends)('ends with %s', async (_, end) => {
    const { token, at = now } = end((await openSession(key, '1.2.3.4', now)).token);

    await expect(renewSession(token, at)).rejects.toThrow(ended);
  });
});
