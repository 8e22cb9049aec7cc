/** The token in the URL that the upstream provider calls back. */
import { expect, test } from 'vitest';
import { makePingbackToken, verifyPingbackToken } from '../../../lib/access/pingback-token.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const run = { user_id: 3, id: 3765094780703098, attempt: 2 };
const accounts = async (id: number) => (id === 3 ? { signing_key: key } : undefined);
const token = makePingbackToken({ signing_key: key }, run);
const [, claims = '', signature = ''] = /^(.+)\.([^.]+)$/.exec(token) ?? [];

test('a token names its run, and fits into a URL as it is', async () => {
  expect(token).toMatch(/^[\w.-]+$/);
  expect(await verifyPingbackToken(token, accounts)).toEqual(run);
});

test('ids of any length are named', async () => {
  const long = { user_id: 3_141_592, id: 7, attempt: 12 };
  const other = makePingbackToken({ signing_key: key }, long);

  expect(await verifyPingbackToken(other, async () => ({ signing_key: key }))).toEqual(long);
});

// A token that was sent before a change of the code must still work.
test('accepts a token that an earlier version made', async () => {
  expect(token).toBe(`3.${run.id}.2.kbQU2dgBjpnBo36jKYb2zhnprOQxBkBzWcca-s0IAYM`);
});

test.each([
  ['another run', `3.${run.id}.3.${signature}`],
  ['another task', `3.${run.id + 1}.2.${signature}`],
  ['a user that does not exist', `4.${run.id}.2.${signature}`],
  ['another key', makePingbackToken({ signing_key: Buffer.alloc(32, 8).toString('base64') }, run)],
  ['a signature that is too short', `${claims}.${signature.slice(1)}`],
  ['more text', `${token}.x`],
  ['text before it', `x${token}`],
  ['no signature', claims],
  ['nothing', ''],
])('a token of %s is refused', async (_, forged) => {
  expect(await verifyPingbackToken(forged, accounts)).toBeNull();
});

test('the link to a page with the same numbers has another signature', async () => {
  const { makePageToken } = await import('../../../lib/access/page-link.ts');
  const page = makePageToken({ id: 3, signing_key: key }, { html: 'html/x', expires: run.id });

  expect(await verifyPingbackToken(page, accounts)).toBeNull();
});
