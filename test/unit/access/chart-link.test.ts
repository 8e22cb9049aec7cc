/** Links to charts: bound to their user, keyword and purpose, and valid for long enough to be in a report. */
import { expect, test } from 'vitest';
import { chartLink, verifyChartToken } from '../../../lib/access/chart-link.ts';
import { makePageToken } from '../../../lib/access/page-link.ts';

const day = 86_400;
const account = {
  id: 7,
  signing_key: Buffer.alloc(32, 1).toString('base64'),
  enabled: true,
  ttl: 0,
};
const readAccount = async (id: number) => (id === 7 ? account : undefined);

const tokenIn = (link: string): string => /\/charts\/(.+)\.svg$/.exec(link)?.[1] ?? '';
const link = chartLink('https://api.example.com/prod', { keyword_id: 42, ended: 0 }, account, 10 * day + 5);

test('leads to the keyword of its user, for 400 days', async () => {
  expect(link).toMatch(/^https:\/\/api\.example\.com\/prod\/charts\/7\./);
  expect(await verifyChartToken(tokenIn(link), readAccount, 410 * day - 1)).toMatchObject({
    user: { id: 7 },
    keyword_id: 42,
  });
  expect(await verifyChartToken(tokenIn(link), readAccount, 410 * day)).toBeNull();
});

test('has the number of ended links, so that those before it can be refused', async () => {
  const later = chartLink('', { keyword_id: 42, ended: 3 }, account, 10 * day);

  expect(await verifyChartToken(tokenIn(link), readAccount, 10 * day)).toMatchObject({ ended: 0 });
  expect(await verifyChartToken(tokenIn(later), readAccount, 10 * day)).toMatchObject({
    keyword_id: 42,
    ended: 3,
  });
});

test('is the same all day', () => {
  expect(chartLink('https://api.example.com/prod', { keyword_id: 42, ended: 0 }, account, 11 * day - 1)).toBe(
    link,
  );
});

test.each([
  ['of a stored page', makePageToken(account, { html: '42', expires: 1000 * day })],
  ['with another keyword', tokenIn(link).replace(/\.NDI\./, '.NDM.')],
  ['of another user', tokenIn(link).replace(/^7/, '8')],
  ['that is empty', ''],
])('refuses a token %s', async (_, token) => {
  expect(await verifyChartToken(token, readAccount, 11 * day)).toBeNull();
});
