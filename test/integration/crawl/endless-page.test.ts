/**
 * A page whose reading does not end: its run ends the task with the reason, so its message is received once.
 */
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { RawResult } from '../../../lib/model/result.ts';
import { readers } from '../../../lib/serp/reader.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { readV2Task } = await import('../../../lib/crawl/read-task.ts');

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stores.stop();
});

/** Whether a page cannot be read. Each page then has a tenth of the usual processor time. */
let isEndless = false;
vi.mock('../../../lib/runtime/processor-limit.ts', async (original) => {
  const real = await original<typeof import('../../../lib/runtime/processor-limit.ts')>();
  return {
    ...real,
    withinProcessorTime: <T>(limitMs: number, run: () => T) =>
      real.withinProcessorTime(isEndless ? limitMs / 10 : limitMs, run),
  };
});

afterEach(() => {
  isEndless = false;
  vi.mocked(readers.google.open).mockRestore();
});

/** The pages from this one on cannot be read; those before it can. */
const openEndlessly = (from = 1) => {
  isEndless = true;
  const { open } = readers.google;
  const first: string[] = [];
  return vi.spyOn(readers.google, 'open').mockImplementation((html, ...others) => {
    // A busy machine may try a page twice.
    if (!first.includes(html) && first.length < from - 1) first.push(html);
    if (first.includes(html)) return open(html, ...others);
    for (;;);
  });
};

test('the task ends with an unknown layout, and its page is kept', async () => {
  openEndlessly();
  const fields = { keyword: 'endless page', location_name: 'Canada', iso_code: 'CA', frequency: 0 };
  const request = v.parse(GoogleCrawlRequest, fields);
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example');
  const key = { user_id: 1, id: task?.id ?? 0 };

  const { attempt, batch } = await planPages(key);
  const pages = await Promise.all(batch.map((page) => fetchPage(page)));
  expect(pages).toMatchObject([
    { outcome: 'blocked', verdict: 'unknown_layout', html: expect.stringMatching(/./) },
  ]);

  // There is no browser here.
  const last = pages.map((page) => ({ ...page, outcome: 'failed' as const }));
  expect(await parseTask({ ...key, attempt }, last)).toMatchObject({ outcome: 'final' });
  expect(await readV2Task(accountOf(1), key.id)).toMatchObject({
    status: 'error',
    error_message: expect.stringMatching(/^unknown_layout: /),
  });
});

/** A task whose three pages were fetched and read, and its parsing, in which page `from` cannot be read. */
const parseEndless = async (from: number, more: Record<string, unknown>) => {
  vi.spyOn(readers.google, 'open');
  const fields = { location_name: 'Canada', iso_code: 'CA', frequency: 0, depth: 30, ...more };
  const [task] = await createV2Tasks(
    accountOf(1),
    [v.parse(GoogleCrawlRequest, fields)],
    'https://here.example',
  );
  const key = { user_id: 1, id: task?.id ?? 0 };
  const { attempt, batch, rest } = await planPages(key);
  const pages = await Promise.all([...batch, ...(rest.batch ?? [])].map((page) => fetchPage(page)));
  expect(pages.map(({ outcome }) => outcome)).toEqual(['fetched', 'fetched', 'fetched']);
  vi.mocked(readers.google.open).mockRestore();

  const open = openEndlessly(from);
  expect(await parseTask({ ...key, attempt }, pages)).toMatchObject({ outcome: 'final' });
  return {
    task: await readV2Task(accountOf(1), key.id),
    tried: new Set(open.mock.calls.map(([html]) => html)).size,
  };
};

test('pages that can only be read once end the task with an unknown layout, and only one is tried', async () => {
  const { task, tried } = await parseEndless(1, { keyword: 'read once', domain: 'shop.example' });

  expect(tried).toBe(1);
  expect(task).toMatchObject({
    status: 'error',
    error_message: expect.stringMatching(/^unknown_layout: /),
    complete: false,
    result: null,
    pages: [{ status: 'failed' }, { status: 'failed' }, { status: 'failed' }],
  });
});

test('if a further page cannot be read again, the result has the pages before it', async () => {
  const { task } = await parseEndless(2, { keyword: 'first read twice' });

  expect(task).toMatchObject({
    status: 'success',
    complete: false,
    pages: [{ status: 'parsed' }, { status: 'failed' }, { status: 'failed' }],
  });
  const { left = [] } = (task?.result ?? {}) as RawResult;
  const organic = left.filter(({ type }) => type === 'organic');
  expect(organic.length).toBeGreaterThan(5);
  expect(organic.length).toBeLessThanOrEqual(10);
});
