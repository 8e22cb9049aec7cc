/** Authorization headers that identify an account, and headers that are refused. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hashApiKey } from '../../../lib/access/api-key.ts';
import { apiKeyIn, authenticate, findByKey } from '../../../lib/access/authenticate.ts';
import { makePageToken, pageLink, verifyPageToken } from '../../../lib/access/page-link.ts';
import { accountOf } from '../../integration/account.ts';
import { accounts, counters, users } from './accounts.ts';

vi.mock(import('../../../lib/store/users.ts'), () => import('./accounts.ts').then(({ users }) => users));
vi.mock(import('../../../lib/store/limits.ts'), () => import('./accounts.ts').then(({ limits }) => limits));

const now = 1_790_000_040;
const key = 'serp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup';
/** A well-formed key that belongs to no account. */
const strayKey = 'serp_2z0GEYqfhJgPwsupKt7mWo4jzd2M3BEr25mvYr0v4FnqkP';
const account = { ...accountOf(7), key_hash: hashApiKey(key) };

beforeEach(() => {
  vi.restoreAllMocks();
  counters.clear();
  accounts.clear();
  accounts.set(7, account);
});

const ask = (authorization: string) => authenticate(authorization, '192.0.2.1', now);

test.each([
  ['as documented', `Bearer ${key}`],
  ['with the scheme in lower case', `bearer ${key}`],
  ['with spaces before the key', `Bearer   ${key}`],
  ['with spaces after the key', `Bearer ${key}  `],
])('a header %s identifies the account', async (_, authorization) => {
  expect(await ask(authorization)).toBe(account);
  expect(apiKeyIn(authorization)).toBe(key);
  expect(counters.size).toBe(0);
});

test.each([
  ['that is empty', ''],
  ['without a key', 'Bearer'],
  ['without a scheme', key],
  ['without a space', `Bearer${key}`],
  ['of another scheme', `Basic ${key}`],
  ['with a word before the scheme', `Basic Bearer ${key}`],
  ['with a word after the key', `Bearer ${key} extra`],
  ['with a tab', `Bearer\t${key}`],
])('a header %s has no key, and is refused', async (_, authorization) => {
  expect(apiKeyIn(authorization)).toBeNull();
  await expect(ask(authorization)).rejects.toMatchObject({
    statusCode: 401,
    detail: 'Could not validate credentials',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
  expect([...counters]).toEqual([[`failed-key#192.0.2.1#${now + 60}`, 1]]);
});

test('a key that is malformed costs no read', async () => {
  const find = vi.spyOn(users, 'findAccount');

  await expect(ask(`Bearer x${key}`)).rejects.toMatchObject({ statusCode: 401 });
  expect(find).not.toHaveBeenCalled();
  await expect(ask(`Bearer ${strayKey}`)).rejects.toMatchObject({ statusCode: 401 });
  expect(find).toHaveBeenCalledExactlyOnceWith(hashApiKey(strayKey));
});

describe('the key of an account', () => {
  test.each<[string, object, boolean]>([
    ['that is disabled', { enabled: false }, false],
    ['that has expired', { ttl: now }, false],
    ['that expires later', { ttl: now + 1 }, true],
    ['that was rotated, while it still works', { other_key_hash: 'x', key_until: now + 1 }, true],
    ['that was rotated, after its end', { other_key_hash: 'x', key_until: now }, false],
  ])('%s is accepted or not', async (_, fields, expected) => {
    accounts.set(7, { ...account, ...fields });

    expect(await findByKey(key, now)).toEqual(expected ? { ...account, ...fields } : undefined);
  });
});

test.each([
  'eyJ',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0',
  `x${'e'.repeat(20)}.${'a'.repeat(20)}.${'b'.repeat(43)}`,
])('what only resembles a token is refused as a key: %s', async (text) => {
  const read = vi.spyOn(users, 'readAccount');

  await expect(ask(`Bearer ${text}`)).rejects.toMatchObject({ statusCode: 401 });
  expect(read).not.toHaveBeenCalled();
});

describe('a link to a page', () => {
  const signer = { ...account, signing_key: Buffer.alloc(32, 1).toString('base64') };

  test('is valid for a day', async () => {
    const link = pageLink('https://here.example', 'html/x.gz', signer, now);

    expect(link).toBe(
      `https://here.example/pages/${makePageToken(signer, { html: 'html/x.gz', expires: now + 86_400 })}`,
    );
    const token = link.slice('https://here.example/pages/'.length);
    expect(await verifyPageToken(token, async () => signer, now + 86_399)).toBe('html/x.gz');
    expect(await verifyPageToken(token, async () => signer, now + 86_400)).toBeNull();
  });

  test('is empty without a page', () => {
    expect(pageLink('https://here.example', '', signer, now)).toBe('');
  });
});
