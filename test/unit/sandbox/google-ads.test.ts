/** The double of Google Ads: the reader of the real answers reads what it says. */
import { expect, test } from 'vitest';
import { readIdeas, readVolumes } from '../../../lib/provider/google-ads/answer.ts';
import { ideasRequest, volumesRequest } from '../../../lib/provider/google-ads/call.ts';
import { adsAnswer } from '../../../lib/sandbox/google-ads/answer.ts';

const now = Date.UTC(2026, 10, 22) / 1000;
const credentials = { client_id: 'a', client_secret: 'b', refresh_token: 'c', customer_id: '1' };
const access = {
  credentials: JSON.stringify(credentials),
  token: 't',
  version: 'v26',
};
const market = { location: 2840, language: 'en' };
const answered = (...args: Parameters<typeof adsAnswer>) => {
  const answer = adsAnswer(...args);
  if (!answer) throw new Error('The double does not know the address');
  return answer;
};
const volumesOf = (keywords: string[], at = now) =>
  readVolumes(answered(volumesRequest({ access, keywords, market }), at));

test('the same keyword has the same figures in every answer, and others in another market', () => {
  const one = volumesOf(['coffee', 'tea']);
  const other = volumesOf(['tea', 'milk']);
  const elsewhere = readVolumes(
    answered(volumesRequest({ access, keywords: ['tea'], market: { ...market, location: 2276 } }), now),
  );

  if (!one.ok || !other.ok || !elsewhere.ok) throw new Error('The double failed');
  expect(one.value.get('tea')).toEqual(other.value.get('tea'));
  expect(one.value.get('tea')).not.toEqual(elsewhere.value.get('tea'));
});

test('the months are the last twelve complete ones', () => {
  const read = volumesOf(['tea']);
  const months = (read.ok && read.value.get('tea')?.months) || [];

  expect(months).toHaveLength(12);
  expect(months[0]).toMatchObject({ year: 2025, month: 11 });
  expect(months.at(-1)).toMatchObject({ year: 2026, month: 10 });
});

test('near duplicates are one row with variants', () => {
  const answer = answered(volumesRequest({ access, keywords: ['shoe', 'shoes', 'hat'], market }), now);

  expect(JSON.parse(answer.body).results).toMatchObject([
    { text: 'hat' },
    { text: 'shoe', closeVariants: ['shoes'] },
  ]);
});

test.each([
  ['empty: tea', { ok: true, value: new Map() }],
  ['http_429: tea', { ok: false, problem: 'throttled', retryAfterSeconds: 3 }],
  ['http_500: tea', { ok: false, problem: 'down' }],
  ['drift: tea', { ok: false, problem: 'malformed' }],
  ['cut: tea', { ok: false, problem: 'malformed' }],
])('%s', (keyword, expected) => {
  expect(volumesOf([keyword])).toMatchObject(expected);
});

test('the setting of the operator is a misfortune of every call', () => {
  const answer = answered(volumesRequest({ access, keywords: ['tea'], market }), now, 'http_500');

  expect(answer.status).toBe(500);
  expect(answered(volumesRequest({ access, keywords: ['tea'], market }), now, 'slow').delayMs).toBe(8000);
  expect(answered(volumesRequest({ access, keywords: ['tea'], market }), now, 'empty').body).toBe('{}');
});

test('ideas come in pages, with concepts and devices', () => {
  const page = (pageToken: string) =>
    readIdeas(
      answered(
        ideasRequest({ access, seeds: { keywords: ['tea'], pageUrl: null }, market, size: 15, pageToken }),
        now,
      ),
    );
  const first = page('');
  if (!first.ok) throw new Error(first.reason);
  const second = page(first.value.nextPageToken);
  if (!second.ok) throw new Error(second.reason);

  expect(first.value.ideas.map(({ text }) => text)).toContain('tea');
  expect(first.value.ideas).toHaveLength(15);
  expect(second.value.nextPageToken).toBe('');
  expect(first.value.devices.map(({ device }) => device)).toEqual(['MOBILE', 'DESKTOP', 'TABLET']);
  expect(first.value.ideas[0]?.concepts.length).toBeGreaterThan(0);
});
