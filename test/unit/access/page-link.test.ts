/** Links to stored pages: their user, page and expiry cannot be forged. */
import { expect, test } from 'vitest';
import { makePageToken, verifyPageToken } from '../../../lib/access/page-link.ts';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const usable = { enabled: true, ttl: 0 };
const account = { id: 1, signing_key: key(1), ...usable };
const other = { id: 2, signing_key: key(2), ...usable };
const readAccount = async (id: number) => [account, other].find((known) => known.id === id);
const link = { html: 'html/kq3ZVb0mW8sLhT1x/1-1.html.gz', expires: 1000 };

const open = (token: string, now = 999) => verifyPageToken(token, readAccount, now);

test('a token gives the page that it was made for, until it expires', async () => {
  const token = makePageToken(account, link);

  expect(token).toMatch(/^[\w.-]+$/);
  expect(await open(token)).toBe(link.html);
  expect(await open(token, 1000)).toBeNull();
});

test('refuses a token with any character changed', async () => {
  const token = makePageToken(account, link);
  const forged = [...token].flatMap((character, n) =>
    ['A', 'B', '1', '2', '.', '-'].flatMap((other) =>
      other === character ? [] : [token.slice(0, n) + other + token.slice(n + 1)],
    ),
  );

  expect(await Promise.all(forged.map((one) => open(one)))).toEqual(forged.map(() => null));
});

test.each([
  ['empty', ''],
  ['not a token', 'favicon.ico'],
  ['truncated', makePageToken(account, link).slice(0, -1)],
  ['extended', `${makePageToken(account, link)}A`],
  ['of an unknown user', makePageToken({ ...account, id: 3 }, link)],
  ['of user 0, whose row is the id counter', makePageToken({ ...account, id: 0 }, link)],
  ["signed with another user's key", makePageToken({ ...account, signing_key: other.signing_key }, link)],
  ['of another user, signed with the key of its sender', makePageToken({ ...account, id: other.id }, link)],
])('refuses a token that is %s', async (_, token) => {
  expect(await open(token)).toBeNull();
});

test.each([
  ['is disabled', { enabled: false }],
  ['has expired', { ttl: 999 }],
])('refuses a token while its user %s', async (_, state) => {
  const token = makePageToken(account, link);

  expect(await verifyPageToken(token, async () => ({ ...account, ...state }), 999)).toBeNull();
  expect(await open(token)).toBe(link.html);
});
