/** The time of a page that takes two requests, because the first answer is nothing but a cookie. */
import { expect, test, vi } from 'vitest';
import type { PageRequest as NetworkRequest } from '../../../lib/net/get-html.ts';

const time = vi.hoisted(() => ({ now: 5000, held: 700 }));
const getHtml = vi.hoisted(() => vi.fn());

vi.mock('../../../lib/net/get-html.ts', async (original) => ({ ...(await original<object>()), getHtml }));
vi.mock('../../../lib/fetcher/proxy.ts', () => ({ proxyFor: async () => undefined }));
vi.mock('../../../lib/runtime/clock.ts', async (original) => ({
  ...(await original<object>()),
  stopwatch: () => time.now,
}));
vi.mock('../../../lib/runtime/processor-limit.ts', () => ({ heldMs: () => time.held }));

const { fetchOverHttp } = await import('../../../lib/fetcher/http.ts');

test('the request with the cookie has the time that the first one left, without that of a reading', async () => {
  vi.stubEnv('SEARCH_SOURCE', 'live');
  const given: number[] = [];
  getHtml.mockImplementation(async ({ deadlineMs }: NetworkRequest) => {
    given.push(deadlineMs);
    time.now += 9000;
    time.held += 7000;
    return { ok: true, status: 200, url: 'https://search.yahoo.com/_bv/v.gif', body: '', headers: {} };
  });

  const url = 'https://search.yahoo.com/search?p=kiln';
  await fetchOverHttp(
    { engine: 'yahoo', url, device: 'desktop', language_code: 'en', iso_code: 'US' },
    'session',
    10_000,
  );

  expect(given).toEqual([10_000, 8000]);
});
