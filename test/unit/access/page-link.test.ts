/** Links to stored pages: their user, page and expiry cannot be forged. */
import { expect, test, vi } from 'vitest';
import { makePageToken, verifyPageToken } from '../../../lib/access/page-link.ts';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const usable = { enabled: true, ttl: 0 };
const account = { id: 1, signing_key: key(1), ...usable };
const other = { id: 2, signing_key: key(2), ...usable };
const twelfth = { id: 12, signing_key: key(12), ...usable };
const readAccount = async (id: number) => [account, other, twelfth].find((known) => known.id === id);
const link = { html: 'html/kq3ZVb0mW8sLhT1x/1-1.html.gz', expires: 1000 };

const open = (token: string, now = 999) => verifyPageToken(token, readAccount, now);

test('a token gives the page that it was made for, until it expires', async () => {
  const token = makePageToken(account, link);

  expect(token).toMatch(/^[\w.-]+$/);
  expect(await open(token)).toBe(link.html);
  expect(await open(token, 1000)).toBeNull();
});

test('accepts a token of a user with a two-digit id', async () => {
  expect(await open(makePageToken(twelfth, link))).toBe(link.html);
});

// A link that was sent before a change of the code must still work.
test('accepts a token that an earlier version made', async () => {
  const known =
    '1.1000.aHRtbC9rcTNaVmIwbVc4c0xoVDF4LzEtMS5odG1sLmd6.gTJqP0q-Tezm3RE-W6hK_q0OxQ90zMDGnXmBYQbICEY';

  expect(makePageToken(account, link)).toBe(known);
  expect(await open(known)).toBe(link.html);
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
  ['cut off', makePageToken(account, link).slice(0, -1)],
  ['preceded by a character', `x${makePageToken(account, link)}`],
  ['followed by a character', `${makePageToken(account, link)}A`],
  ['of an unknown user', makePageToken({ ...account, id: 3 }, link)],
  ['of user 0, whose row is the id counter', makePageToken({ ...account, id: 0 }, link)],
  ["signed with another user's key", makePageToken({ ...account, signing_key: other.signing_key }, link)],
  ['of another user, signed with the key of its sender', makePageToken({ ...account, id: other.id }, link)],
])('refuses a token that is %s', async (_, token) => {
  expect(await open(token)).toBeNull();
});

test('a malformed token is refused without reading an account', async () => {
  const read = vi.fn(readAccount);

  expect(await verifyPageToken('favicon.ico', read, 999)).toBeNull();
  expect(read).not.toHaveBeenCalled();
});

test.each([
  ['is disabled', { enabled: false }],
  ['has expired', { ttl: 999 }],
])('refuses a token while its user %s', async (_, state) => {
  const token = makePageToken(account, link);

  expect(await verifyPageToken(token, async () => ({ ...account, ...state }), 999)).toBeNull();
  expect(await open(token)).toBe(link.html);
});
