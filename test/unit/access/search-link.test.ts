/** Keys for the address of a search: what they open, until when, and how often. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { makeLinkToken } from '../../../lib/access/link-token.ts';
import { endSearchKeys, findBySearchKey, makeSearchKey } from '../../../lib/access/search-link.ts';
import type { Account } from '../../../lib/model/user.ts';
import { accountAt, accounts, counters } from './accounts.ts';

vi.mock(import('../../../lib/store/users.ts'), () => import('./accounts.ts').then(({ users }) => users));
vi.mock(import('../../../lib/store/limits.ts'), () => import('./accounts.ts').then(({ limits }) => limits));

/** The first second of a minute. */
const now = 1_790_000_040;
const year = 366 * 86_400;
const account = {
  id: 7,
  signing_key: Buffer.alloc(32, 1).toString('base64'),
  enabled: true,
  ttl: 0,
} as unknown as Account;

const refused = expect.objectContaining({ statusCode: 401, detail: 'Could not validate credentials' });
const find = (key: string, at = now) => findBySearchKey(key, '1.2.3.4', at);

beforeEach(() => {
  accounts.clear();
  counters.clear();
  accounts.set(7, account);
});

test('a key finds its account for a year', async () => {
  const { key, expires_at } = makeSearchKey(account, now);

  expect(expires_at).toBe(now + year);
  expect(await find(key, now + year - 1)).toBe(account);
  await expect(find(key, now + year)).rejects.toThrow(refused);
});

// A key that was written into another program before a change of the code must still work.
test('a key that an earlier version made finds its account', async () => {
  const known = '7.1821622440.MA.J-CKL0RO86nke9PQeb1jUyVQO5tnhUwClemHWNyk9mw';

  expect(makeSearchKey(account, now).key).toBe(known);
  expect(await find(known)).toBe(account);
});

test('keys end together, and those that are made later work', async () => {
  const first = makeSearchKey(account, now).key;
  await endSearchKeys(account);
  expect(accountAt(7)).toEqual({ ...account, search_keys_ended: 1 });
  await expect(find(first)).rejects.toThrow(refused);

  const second = makeSearchKey(accountAt(7), now).key;
  expect(await find(second)).toEqual(accountAt(7));
  await endSearchKeys(accountAt(7));
  expect(accountAt(7)).toMatchObject({ search_keys_ended: 2 });
  await expect(find(second)).rejects.toThrow(refused);
});

describe('a key', () => {
  const key = makeSearchKey(account, now).key;
  const linkOf = (purpose: 'page-link' | 'report-link') =>
    makeLinkToken(purpose, account, { subject: '0', expires: now + 60 });

  test.each<[string, string, object | undefined]>([
    ['that is malformed', 'x', account],
    ['of a stored page', linkOf('page-link'), account],
    ['of a report', linkOf('report-link'), account],
    ['of a user who is gone', key, undefined],
    ['of a disabled user', key, { ...account, enabled: false }],
    ['of an expired user', key, { ...account, ttl: now }],
    ['of a user with another signing key', key, { ...account, signing_key: 'AAAA' }],
  ])('%s is refused, and counts against its address', async (_, sent, present) => {
    accounts.clear();
    if (present) accounts.set(7, present as Account);

    await expect(find(sent)).rejects.toThrow(refused);
    expect(counters).toEqual(new Map([[`failed-key#1.2.3.4#${now + 60}`, 1]]));
  });

  test('searches sixty times in a minute', async () => {
    for (let n = 0; n < 60; n++) await find(key, now + n);
    expect(counters).toEqual(new Map([[`search-link#7#${now + 60}`, 60]]));

    await expect(find(key, now + 45)).rejects.toThrow(
      expect.objectContaining({
        statusCode: 429,
        detail: 'Too many searches with the keys of this user: wait for the next minute',
        headers: { 'Retry-After': '15' },
      }),
    );
    expect(await find(key, now + 60)).toBe(account);
  });
});
