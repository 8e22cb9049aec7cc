/**
 * Crawls that end at the page of the tracked domain (Reading 43): which pages are fetched, and what is stored
 * of them.
 */
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Batches } from '../../../lib/crawl/plan-pages.ts';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { TrackingResult } from '../../../lib/model/tracking-result.ts';
import type { AnsweredPage, TaskKey } from '../../../lib/model/workflow.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { runSeconds } from '../../../lib/task/timing.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { withOnward } = await import('../../../lib/crawl/onward.ts');
const { parseAgain } = await import('../../../lib/crawl/parse-again.ts');
const { parseTask, readPages } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { readV2Task } = await import('../../../lib/crawl/read-task.ts');
const { readSnapshot } = await import('../../../lib/store/snapshots.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => stores.stop());
afterEach(() => {
  delete process.env.SANDBOX_MISFORTUNE;
});

let searches = 0;
const rival = (competitor: string) => ({ keyword_id: null, competitor, type: 'domain' });

const rowOf = async (key: TaskKey): Promise<SerpRow> => {
  const row = await readRow(key.user_id, key.id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

const givenTask = async (fields: Record<string, unknown> = {}): Promise<TaskKey> => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: `lamps ${++searches}`,
    location_name: 'Canada',
    iso_code: 'CA',
    depth: 40,
    domain: 'rival.example',
    stop_on_match: true,
    ...fields,
  });
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example');
  return { user_id: 1, id: task?.id ?? 0 };
};

/** The batches of a plan, by the numbers of their pages. */
const numbersOf = ({ batch, rest }: Batches): number[][] =>
  batch ? [batch.map(({ page }) => page), ...numbersOf(rest ?? {})] : [];

/** Fetches the pages of a plan as the machine does. */
const fetchBatches = async ({ batch, rest }: Batches): Promise<AnsweredPage[]> => {
  const pages = await Promise.all((batch ?? []).map((page) => fetchPage(page)));
  const goesOn = pages[0]?.has_next && pages[0].onward !== 'stop' && rest;
  return goesOn ? [...pages, ...(await fetchBatches(rest))] : pages;
};

const crawl = async (key: TaskKey) => {
  const plan = await planPages(key);
  const pages = await fetchBatches(plan);
  await parseTask({ ...key, attempt: plan.attempt }, pages);
  return { plan, pages, row: await rowOf(key), task: await readV2Task(accountOf(1), key.id) };
};

const statusesOf = ({ pages }: SerpRow) => pages.map(({ status }) => status);

test('the plan has a batch for each page, and that of another task has all further pages in one', async () => {
  const alone = await planPages(await givenTask());
  const other = await planPages(await givenTask({ stop_on_match: false }));
  const raw = await planPages(await givenTask({ domain: null }));

  expect(numbersOf(alone)).toEqual([[1], [2], [3], [4]]);
  expect(numbersOf(other)).toEqual([[1], [2, 3, 4]]);
  expect(numbersOf(raw)).toEqual([[1], [2, 3, 4]]);
});

test('the crawl ends at the page of the domain, and what was not seen is unknown', async () => {
  const competitors = [rival('acme.example'), rival('latecomer.example')];
  const { pages, row, task } = await crawl(await givenTask({ competitors }));

  expect(pages.map(({ page, onward }) => ({ page, onward }))).toEqual([
    { page: 1, onward: undefined },
    { page: 2, onward: 'stop' },
  ]);
  expect(statusesOf(row)).toEqual(['parsed', 'parsed', 'awaiting', 'awaiting']);
  expect(row).toMatchObject({ status: 'success', complete: true, counted: [1, 2], failure: null });
  expect(task.result).toMatchObject({
    'rival.example': { type: 'owner', results: { organic: { type: 'organic' } } },
    'acme.example': { type: 'competitor', results: { organic: { type: 'organic' } } },
    'latecomer.example': { type: 'unknown', results: { organic: { position: '0', type: 'unknown' } } },
  });
});

test('the pages are no snapshot, and a snapshot of all pages answers with all that it shows', async () => {
  const competitors = [rival('latecomer.example')];
  const first = await crawl(await givenTask({ keyword: 'tall lamps', competitors }));
  const { snapshot_hash, source = '' } = first.row;
  expect(await readSnapshot({ snapshot_hash, source }, first.row.crawled_at)).toBeUndefined();

  const whole = await crawl(await givenTask({ keyword: 'tall lamps', competitors, stop_on_match: false }));
  const again = await crawl(await givenTask({ keyword: 'tall lamps', competitors }));

  expect(whole.row.snapshot_hash).toBe(snapshot_hash);
  expect(again.plan.outcome).toBe('fetched');
  expect(again.row).toMatchObject({ status: 'success', reused: true, complete: true });
  const position = (again.task.result as TrackingResult)['latecomer.example']?.results.organic.position;
  expect(Number(position)).toBeGreaterThan(20);
  expect(again.task.result).toEqual(whole.task.result);
});

test('a page that fails before the domain is found ends the task in error', async () => {
  const { row } = await crawl(await givenTask({ keyword: 'captcha@2: lamps' }));

  expect(row).toMatchObject({ status: 'error', error_message: expect.stringMatching(/^captcha: /) });
  expect(statusesOf(row)).toEqual(['parsed', 'failed', 'failed', 'failed']);
});

test('a page that fails behind the domain is not fetched', async () => {
  const { row } = await crawl(await givenTask({ keyword: 'captcha@3: lamps' }));

  expect(row).toMatchObject({ status: 'success', complete: true });
});

test('a late run fetches the rest of its pages at once', async () => {
  const key = await givenTask({ domain: 'nobody.example' });
  const { batch } = await planPages(key);
  const [page] = await Promise.all(batch.map((each) => fetchPage(each)));
  const row = await rowOf(key);
  if (!page) throw new Error('There is no page');
  const claimedAt = row.lease_until - runSeconds;

  expect(await withOnward(row, page, claimedAt + 100)).toEqual(page);
  expect(await withOnward(row, page, claimedAt + 101)).toEqual({ ...page, onward: 'all' });
});

test('a later reading of the pages gives the same ranks', async () => {
  const { row, task } = await crawl(await givenTask({ competitors: [rival('latecomer.example')] }));

  expect(await parseAgain(row)).toBe('parsed again');
  expect((await readV2Task(accountOf(1), row.id)).result).toEqual(task.result);
});

test('pages that do not show the domain any more are no result', async () => {
  const { row } = await crawl(await givenTask());

  const read = await readPages({ ...row, domain: 'nobody.example' });
  expect(read.fault).toMatch(/^unresolved: /);
  expect(read.stored.tracking).toBeNull();
});
