/** All tries of a page share one deadline and end in time, however much of it each try takes. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { httpDeadlineMs, pageMs, remainingMs } from '../../../lib/model/page-time.ts';
import type { AnsweredPage } from '../../../lib/model/workflow.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const fetchOverHttp = vi.hoisted(() => vi.fn());
const fetchInBrowser = vi.hoisted(() => vi.fn());
vi.mock('../../../lib/fetcher/http.ts', async (original) => ({
  ...(await original<object>()),
  fetchOverHttp,
}));
vi.mock('../../../lib/fetcher/browser.ts', async (original) => ({
  ...(await original<object>()),
  fetchInBrowser,
}));
vi.mock('../../../lib/fetcher/settings.ts', () => ({ fetcherSettings: async () => ({}) }));
vi.mock('../../../lib/store/page-progress.ts', () => ({ putProgress: async () => undefined }));
vi.mock('../../../lib/store/html.ts', () => ({ putHtml: async () => 'html/page' }));
vi.mock('../../../lib/crawl/log-page.ts', () => ({ logPage: () => undefined }));
vi.mock('../../../lib/crawl/held-page.ts', () => ({
  readHeldPage: async () => ({
    row: {
      engine: 'google',
      keyword: 'coffee',
      device: 'desktop',
      iso_code: 'US',
      location_name: '',
      html_folder: 'f',
      // Of several pages: the step does not end the task.
      pages: [{ page: 1 }, { page: 2 }],
    } as SerpRow,
    url: 'https://www.google.com/search?q=coffee',
  }),
}));

const { browserEndMs } = await import('../../../lib/fetcher/browser.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { lookUpUntil } = await import('../../../lib/crawl/look-up-links.ts');
const { renderPage } = await import('../../../lib/crawl/render-page.ts');

const key = { user_id: 1, id: 2, attempt: 1, page: 1 };
const blocked: AnsweredPage = {
  ...key,
  outcome: 'blocked',
  verdict: 'script_wall',
  html: 'html/wall',
  fetches: 2,
  has_next: false,
  fetched_at: 1790000000,
  reason: 'script_wall: the engine answered with a page that only a browser gets past',
};

/** A clock that only the fetches advance. */
let now = 0;
const nowMs = () => now;

beforeEach(() => {
  now = 1_000_000;
  vi.resetAllMocks();
});

const timeout = { ok: false, reason: 'timeout: the page did not arrive in time' };

test('a page that keeps its HTTP connection open gets exactly two full tries', async () => {
  const given: number[] = [];
  fetchOverHttp.mockImplementation(async (_request, _session, deadlineMs) => {
    given.push(deadlineMs);
    now += httpDeadlineMs;
    return timeout;
  });

  const page = await fetchPage(key, nowMs);

  expect(page).toMatchObject({ outcome: 'failed', reason: timeout.reason, fetches: 2, spent_ms: 24_000 });
  expect(given).toEqual([45_000, 33_000]);
});

test('the browser gets the time that the tries over HTTP left, minus the time to close the page', async () => {
  fetchInBrowser.mockImplementation(async (...given: unknown[]) => {
    now += Number(given[4]) + browserEndMs;
    return timeout;
  });

  const page = await renderPage({ ...blocked, spent_ms: 24_000 }, nowMs);

  expect(fetchInBrowser.mock.calls[0]?.[4]).toBe(45_000 - 24_000 - browserEndMs);
  // The wall that was met over HTTP is the reason, not the end of the browser in front of it.
  expect(page).toMatchObject({ ...blocked, fetches: 3, spent_ms: 45_000 });
});

test('all tries of a page together take at most 45 s, however long each one takes', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(share, share, share, async (first, second, third) => {
      const began = now;
      const shares = [first, second];
      fetchOverHttp.mockImplementation(async (_request, _session, deadlineMs) => {
        now += Math.min(httpDeadlineMs, deadlineMs) * (shares.shift() ?? 0);
        return { ok: true, status: 403, url: '', body: '<html></html>' };
      });
      fetchInBrowser.mockImplementation(async (...given: unknown[]) => {
        now += Number(given[4]) * third + browserEndMs;
        return timeout;
      });

      const fetched = await fetchPage(key, nowMs);
      expect(fetched.outcome).toBe('blocked');
      const { spent_ms } = await renderPage(fetched, nowMs);

      expect(spent_ms).toBeCloseTo(now - began, 3);
      expect(spent_ms).toBeLessThanOrEqual(pageMs + 0.001);
    }),
  );
});

describe('lookups of links', () => {
  test.each([
    ['a page that was fast', 1000, 20_000],
    ['a page that took half of its time', 25_000, 14_000],
    ['a page that has used up its time', 45_000, -6000],
  ])('of %s begin within the time that is left', (_, spentMs, begin) => {
    expect(lookUpUntil(remainingMs(spentMs), 1_790_000_000_000)).toBe(1_790_000_000_000 + begin);
  });
});

describe('a page without a browser', () => {
  test('keeps its outcome over HTTP if there is no browser for the platform', async () => {
    fetchInBrowser.mockResolvedValue({
      ok: false,
      reason: 'unavailable: there is no browser for this platform',
    });

    expect(await renderPage(blocked, nowMs)).toEqual(blocked);
  });

  test('fails with a fault of the service if the browser did not start', async () => {
    fetchInBrowser.mockResolvedValue({ ok: false, reason: 'machinery: the browser did not start' });

    expect(await renderPage(blocked, nowMs)).toEqual({
      ...blocked,
      outcome: 'failed',
      reason: 'machinery: the browser did not start',
      spent_ms: 0,
    });
  });
});
