/** Live calls for keyword data hold a slot of their user while they wait. What is stored needs none. */
import * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import { whileWaiting } from '../../../lib/access/wait-slot.ts';
import { exploreTrends, findVolumes } from '../../../lib/compat/dataforseo/keywords.ts';
import { findLiveVolumes } from '../../../lib/keyword/ads/live-volume.ts';
import { suggest } from '../../../lib/keyword/web/suggest.ts';
import { trends } from '../../../lib/keyword/web/trends.ts';
import { tools } from '../../../lib/mcp/tools.ts';
import { HttpError } from '../../../lib/model/http-error.ts';
import { LiveVolumeRequest } from '../../../lib/model/keyword-request.ts';
import { SuggestRequest } from '../../../lib/model/suggest.ts';
import { TrendsRequest } from '../../../lib/model/trends.ts';
import { settled } from './fake-time.ts';
import { begin, userOf } from './given.ts';

vi.mock('node:timers/promises', () => import('./fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const user = userOf(7, { rate_limit: 2000 });
const place = { location_name: 'Germany', iso_code: 'DE', language_code: 'de' };
const form = { location_code: 2276, language_code: 'de' };
const asking = { path: '/v3/keywords_data', began: 0 };

const callTool = async (name: string, given: object): Promise<unknown> =>
  tools.find((each) => each.name === name)?.call(given, { user, baseUrl: '' });

test.each<[string, (keyword: string) => Promise<unknown>]>([
  ['volumes', (key) => findLiveVolumes(user, v.parse(LiveVolumeRequest, { keywords: [key], ...form }))],
  ['suggestions', (keyword) => suggest(user, v.parse(SuggestRequest, { keyword, ...place }))],
  ['trends', (keyword) => trends(user, v.parse(TrendsRequest, { keyword, ...place }))],
  ['volumes for an agent', (key) => callTool('keyword_volume', { keywords: [key] })],
  ['suggestions for an agent', (keyword) => callTool('suggest', { keyword, iso_code: 'DE' })],
  ['trends for an agent', (keyword) => callTool('trends', { keyword, iso_code: 'DE' })],
  ['volumes in the form of DataForSEO', (key) => findVolumes([{ keywords: [key], ...form }], asking, user)],
  ['trends in the form of DataForSEO', (key) => exploreTrends([{ keywords: [key], ...form }], asking, user)],
])('%s', async (_, ask) => {
  const refused = (keyword: string) =>
    settled(ask(keyword)).then(
      () => false,
      (error) => error instanceof HttpError && error.statusCode === 429,
    );
  expect(await refused('stored')).toBe(false);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun = vi.fn(() => end);
  const waiting = Array.from({ length: 50 }, () => whileWaiting(user, begun));
  await expect.poll(() => begun.mock.calls.length).toBe(50);

  expect(await refused('new')).toBe(true);
  expect(await refused('stored')).toBe(false);
  resolve();
  await Promise.all(waiting);
  expect(await refused('new')).toBe(false);
});
