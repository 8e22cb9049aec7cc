/** The pages of one call: a page that takes long to read takes no time of the others, and fails alone. */
import { expect, test, vi } from 'vitest';
import { pageMs } from '../../../lib/model/page-time.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const time = vi.hoisted(() => ({ now: 1_000_000, held: 0, isEndless: false }));
const fetchOverHttp = vi.hoisted(() => vi.fn());
const urlOf = (page: number) => `https://www.google.com/search?q=coffee&start=${10 * (page - 1)}`;

vi.mock('../../../lib/fetcher/http.ts', async (original) => ({
  ...(await original<object>()),
  fetchOverHttp,
}));
vi.mock('../../../lib/fetcher/settings.ts', () => ({
  fetcherSettings: async () => ({ order: ['http'], rate: 0 }),
}));
vi.mock('../../../lib/store/html.ts', () => ({
  newHtmlFile: () => ({ keep: async ({ page }: { page: number }) => `html/${page}`, put: async () => {} }),
}));
vi.mock('../../../lib/crawl/log-page.ts', () => ({ logPage: () => undefined }));
vi.mock('../../../lib/store/tasks.ts', () => ({
  readRow: async () =>
    ({
      engine: 'google',
      keyword: 'coffee',
      device: 'desktop',
      iso_code: 'US',
      location_name: '',
      html_folder: 'f',
      attempt: 1,
      pages: [2, 3, 4].map((page) => ({ page, url: urlOf(page) })),
    }) as unknown as SerpRow,
}));
// A reader that holds the thread for twelve seconds at the page without an end, and is then ended.
vi.mock('../../../lib/runtime/processor-limit.ts', () => ({
  heldMs: () => time.held,
  withinProcessorTime: (_: number, read: () => unknown) => {
    time.isEndless = false;
    const value = read();
    if (!time.isEndless) return value;
    time.now += 12_000;
    time.held += 12_000;
    return undefined;
  },
}));

const { answerRequest } = await import('../../../lib/sandbox/google/engine.ts');
const { readers } = await import('../../../lib/serp/reader.ts');
const { fetchPages } = await import('../../../lib/crawl/fetch-pages.ts');

test('the pages beside a page without an end have all of their time', async () => {
  vi.stubEnv('SEARCH_SOURCE', 'live');
  vi.stubEnv('RESOLVE_LINKS', 'never');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const open = readers.google.open;
  vi.spyOn(readers.google, 'open').mockImplementation((body) => {
    time.isEndless = body.startsWith('endless');
    return open(body);
  });
  const tries = new Map<string, number>();
  const leftMs: number[] = [];
  fetchOverHttp.mockImplementation(async ({ url }: { url: string }, _: string, remaining: number) => {
    const number = (tries.get(url) ?? 0) + 1;
    tries.set(url, number);
    leftMs.push(remaining);
    time.now += 100;
    if (url === urlOf(3)) return { ok: true, status: 200, url, body: `endless ${number}` };
    // The first try of the others fails while the endless page is read.
    if (number === 1) return { ok: false, reason: 'unreachable: the connection ended' };
    const { body } = answerRequest({ url, device: 'desktop', now: Math.floor(Date.now() / 1000) });
    return { ok: true, status: 200, url, body };
  });

  const batch = [2, 3, 4].map((page) => ({ user_id: 1, id: 2, attempt: 1, page }));
  const pages = await fetchPages({ user_id: 1, id: 2, attempt: 1, batch }, () => time.now);

  expect(pages).toMatchObject([
    { page: 2, outcome: 'fetched', html: 'html/2' },
    { page: 3, outcome: 'failed', verdict: 'unknown_layout', html: 'html/3' },
    { page: 4, outcome: 'fetched', html: 'html/4' },
  ]);
  expect(time.held).toBe(24_000);
  for (const left of leftMs) expect(left).toBeGreaterThan(pageMs - 1000);
});
