/**
 * Result reuse in the stores: for how long, between which users, and which data of the first task is shown
 * (Reading 14).
 */
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import type { AnsweredPage, PageKey, TaskKey } from '../../../lib/model/workflow.ts';
import { readers } from '../../../lib/serp/reader.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';
import { fetchAlone } from './fetch-alone.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { clock } = await import('../../../lib/runtime/clock.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { fetchPages } = await import('../../../lib/crawl/fetch-pages.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { keepSnapshot } = await import('../../../lib/crawl/reuse.ts');
const { copyToFolder, putHtml } = await import('../../../lib/store/html.ts');
const { signHtmlUrl } = await import('../../../lib/store/html-link.ts');
const { findHtml, readPage } = await import('../../../lib/store/read-html.ts');
const { putSnapshot, readSnapshot } = await import('../../../lib/store/snapshots.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { readV2Task } = await import('../../../lib/crawl/read-task.ts');

const day = 86_400;
const hour = 3600;
let searches = 0;
const newKeyword = () => `walks ${++searches}`;

const isAnswered = (page: PageKey | AnsweredPage): page is AnsweredPage => 'outcome' in page;

const given = {
  task: async (fields: Record<string, unknown>, now = clock(), user = 1): Promise<TaskKey> => {
    const request = v.parse(GoogleCrawlRequest, { location_name: 'Canada', iso_code: 'CA', ...fields });
    const [task] = await createV2Tasks(accountOf(user), [request], 'https://here.example', now);
    return { user_id: user, id: task?.id ?? 0 };
  },
  /** A search that was just crawled. */
  crawl: async (fields: Record<string, unknown>): Promise<SerpRow> => {
    const key = await given.task(fields);
    const { outcome, attempt, batch, rest } = await planPages(key);
    expect(outcome).toBe('claimed');
    const first = await Promise.all(batch.map((page) => fetchPage(page)));
    const further = rest.batch ?? [];
    // As the machine does.
    const fetched = further.length > 1 ? await fetchPages({ ...key, attempt, batch: further }) : further;
    const others = await Promise.all(fetched.map((page) => (isAnswered(page) ? page : fetchPage(page))));
    await parseTask({ ...key, attempt }, [...first, ...others]);
    return rowOf(key);
  },
};

const rowOf = async (key: TaskKey): Promise<SerpRow> => {
  const row = await readRow(key.user_id, key.id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

/** Creates and plans the same search again, `seconds` after it was crawled. */
const whenAskedAfter = async (first: SerpRow, seconds: number, fields: Record<string, unknown> = {}) => {
  const now = first.crawled_at + seconds;
  const key = await given.task({ keyword: first.keyword, depth: first.depth, ...fields }, now);
  return { key, plan: await planPages(key, now) };
};

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => stores.stop());
afterEach(() => {
  delete process.env.GOOGLE_ORIGIN;
  delete process.env.SANDBOX_MISFORTUNE;
});

describe('the window', () => {
  let first: SerpRow;
  beforeAll(async () => {
    first = await given.crawl({ keyword: newKeyword() });
  });

  test.each([
    [null, 168 * hour - 1, 'fetched'],
    [null, 168 * hour, 'claimed'],
    [24, 168 * hour - 1, 'fetched'],
    [24, 168 * hour, 'claimed'],
    [168, 168 * hour, 'claimed'],
    [720, 720 * hour - 1, 'fetched'],
    [720, 720 * hour, 'claimed'],
    [2000, 35 * day - 1, 'fetched'],
    [2000, 35 * day, 'claimed'],
    [0, 1, 'claimed'],
    [-24, 1, 'claimed'],
  ])('with a frequency of %s, a search that was crawled %i s ago is %s', async (frequency, age, outcome) => {
    const { plan } = await whenAskedAfter(first, age, { frequency });

    expect(plan).toMatchObject({ outcome, attempt: 1 });
  });
});

test('a task that reuses pages moves from awaiting to parsing, and ends without a crawl', async () => {
  const first = await given.crawl({ keyword: newKeyword(), depth: 20 });

  const { key, plan } = await whenAskedAfter(first, hour, { depth: 20 });
  const between = await rowOf(key);
  const parsed = await parseTask({ ...key, attempt: plan.attempt }, []);

  expect(plan).toMatchObject({ batch: [], rest: {}, first: [], delivery: null });
  expect(between).toMatchObject({ status: 'parsing', attempt: 1, reused: true });
  expect(parsed.outcome).toBe('final');
  const [before, after] = [first, await rowOf(key)];
  expect(after).toMatchObject({
    status: 'success',
    reused: true,
    complete: true,
    crawled_at: before.crawled_at,
    pages: before.pages,
    retries_count: 0,
  });
  const { result, top_10 } = await readV2Task(accountOf(1), first.id);
  expect(await readV2Task(accountOf(1), key.id)).toMatchObject({ result, top_10 });
});

test('pages that were fetched by one call are one object, and each is read, opened and reused by itself', async () => {
  const first = await given.crawl({ keyword: newKeyword(), depth: 40 });
  const folder = `html/${first.html_folder}`;
  const keys = first.pages.map(({ html }) => html);

  expect(keys).toEqual([
    `${folder}/1-1.html.gz`,
    ...[2, 3, 4].map((page) => `${folder}/1-2-4/${page}.html.gz`),
  ]);
  expect(await stores.listObjects(folder)).toEqual([`${folder}/1-1.html.gz`, `${folder}/1-2-4.gz`]);
  const pages = await Promise.all(keys.map(findHtml));
  expect(new Set(pages).size).toBe(4);
  for (const page of pages) expect(page).toMatch(/^<!doctype html>/i);

  // A link of S3 opens one page, of which a copy is made.
  const [, , third = ''] = keys;
  for (const _ of ['first', 'again']) {
    expect(await (await fetch(await signHtmlUrl(third))).text()).toBe(pages[2]);
  }
  expect(await stores.listObjects('opened/')).toEqual([third.replace('html/', 'opened/')]);

  const { key, plan } = await whenAskedAfter(first, hour, { depth: 40 });
  expect(plan.outcome).toBe('fetched');
  expect((await rowOf(key)).pages.map(({ html }) => html)).toEqual(keys);

  await stores.deleteObject(`${folder}/1-2-4.gz`);
  expect((await whenAskedAfter(first, hour, { depth: 40 })).plan.outcome).toBe('claimed');
  expect(await findHtml(keys[1] ?? '')).toBeUndefined();
  // The copy is still there.
  expect((await fetch(await signHtmlUrl(third))).status).toBe(404);
});

describe('pages that are reused', () => {
  const linked = 2 * day;
  const isCopied = async (folder: string, age: number, depth = 10) => {
    const first = await given.crawl({ keyword: newKeyword(), depth });
    const key = { snapshot_hash: first.snapshot_hash, source: 'sandbox' };
    const snapshot = await readSnapshot(key, 0);
    if (!snapshot) throw new Error('Nothing was kept');
    // As if a search of another kind had crawled them.
    const moved = await copyToFolder(
      { ...first, html_folder: folder },
      first.pages.map(({ html }) => html),
    );
    const pages = snapshot.pages.map((page) => ({ ...page, html: moved.get(page.html) ?? '' }));
    await putSnapshot({ ...snapshot, pages, crawled_at: first.crawled_at + 1 });

    const again = await whenAskedAfter({ ...first, crawled_at: first.crawled_at + 1 }, age, {
      depth,
      frequency: 2000,
    });
    const { user_id, id } = again.key;
    await parseTask({ user_id, id, attempt: again.plan.attempt }, [], first.crawled_at + 1 + age);
    const row = await rowOf(again.key);
    expect(row).toMatchObject({ status: 'success', reused: true });
    const keys = row.pages.map(({ html }) => html);
    for (const [index, key] of keys.entries())
      expect(await findHtml(key)).toBe(await findHtml(pages[index]?.html ?? ''));
    return keys.map((key) => key.startsWith(`html/${row.html_folder}/`));
  };

  test.each([
    ['usual-a', 7 * day - linked, false],
    ['usual-b', 7 * day - linked + 1, true],
    ['tracked-a', 1, true],
    ['long-a', 35 * day - linked, false],
    ['long-b', 35 * day - linked + 1, true],
  ])('from the folder %s, when they are %i s old, are stored again: %s', async (folder, age, copied) => {
    expect(await isCopied(folder, age)).toEqual([copied]);
  });

  test('are stored again in the same objects', async () => {
    expect(await isCopied('usual-c', 7 * day - 1, 40)).toEqual([true, true, true, true]);
  });
});

test('a page whose reader throws in a call for several pages is fetched again by a separate call', async () => {
  const open = readers.google.open.bind(readers.google);
  let opened = 0;
  const spy = vi.spyOn(readers.google, 'open').mockImplementation((html, find) => {
    opened += 1;
    // The first page of the call for three pages.
    if (opened === 2) throw new RangeError('a fault of the reader');
    return open(html, find);
  });
  const row = await given.crawl({ keyword: newKeyword(), depth: 40 });
  spy.mockRestore();

  expect(row).toMatchObject({ status: 'success', complete: true });
  const folder = `html/${row.html_folder}`;
  expect((await stores.listObjects(folder)).toSorted()).toEqual([
    `${folder}/1-1.html.gz`,
    `${folder}/1-2-4.gz`,
    expect.stringMatching(/\/1-[234]\.html\.gz$/),
  ]);
});

test('a call for several pages of a task that another run holds requests nothing', async () => {
  const key = await given.task({ keyword: newKeyword(), depth: 30 });
  const { attempt, rest } = await planPages(key);
  const batch = rest.batch?.map((page) => ({ ...page, attempt: attempt + 1 })) ?? [];

  expect(await fetchPages({ ...key, attempt: attempt + 1, batch })).toMatchObject(
    [2, 3].map((page) => ({ page, outcome: 'failed', html: '', fetches: 0 })),
  );
  expect(await stores.listObjects(`html/${(await rowOf(key)).html_folder}`)).toEqual([]);
});

test('results for a shortened query are not complete, and are not reused', async () => {
  const key = await given.task({ keyword: newKeyword() });
  const { attempt, batch } = await planPages(key);
  const [page] = await Promise.all(batch.map(fetchAlone));
  if (!page) throw new Error('No page is planned');
  const { keyword, html_folder } = await rowOf(key);
  const html = (await readPage(page.html)).html
    .replaceAll(`query:${encodeURIComponent(keyword)}`, 'query:walks')
    .replaceAll(`q=${keyword.replace(' ', '+')}&amp;ei=`, 'q=walks&amp;ei=');
  const stored = await putHtml({ html_folder, attempt, page: 1 }, html);

  await parseTask({ ...key, attempt }, [{ ...page, html: stored }]);

  const row = await rowOf(key);
  expect(row).toMatchObject({ status: 'success', complete: false, keyword });
  expect(JSON.stringify((await readV2Task(accountOf(1), key.id)).result)).toContain('"state":"silent"');
  expect((await whenAskedAfter(row, 1)).plan.outcome).toBe('claimed');
});

test('the second user sees no data of the first user', async () => {
  const keyword = newKeyword();
  const first = await given.task(
    { keyword, post_id: 'private', domain: 'secret.example' },
    clock(),
    41_770_013,
  );
  const { attempt, batch } = await planPages(first);
  await parseTask({ ...first, attempt }, await Promise.all(batch.map((page) => fetchPage(page))));

  // Created in another second, because tasks of two users may have the same id.
  const second = await given.task({ keyword }, clock() + 1, 2);
  const plan = await planPages(second);
  await parseTask({ ...second, attempt: plan.attempt }, []);

  const task = await readV2Task(accountOf(2), second.id);
  const shown = JSON.stringify(task);
  expect(task).toMatchObject({ user_id: 2, reused: true, post_id: '', domain: null });
  const traces = ['41770013', String(first.id), 'private', 'secret.example'];
  expect(traces.filter((trace) => shown.includes(trace))).toEqual([]);
});

describe('crawled again, without an error:', () => {
  test('a search whose stored page is deleted', async () => {
    const first = await given.crawl({ keyword: newKeyword(), depth: 20 });
    await stores.deleteObject(first.pages[1]?.html ?? '');

    expect((await whenAskedAfter(first, 1)).plan.outcome).toBe('claimed');
  });

  test.each([
    ['GOOGLE_ORIGIN', 'https://engine.example'],
    ['SANDBOX_MISFORTUNE', 'empty'],
  ])('a search whose pages came from another source (%s)', async (name, value) => {
    const first = await given.crawl({ keyword: newKeyword() });
    process.env[name] = value;

    const { key, plan } = await whenAskedAfter(first, 1);

    expect(plan.outcome).toBe('claimed');
    expect((await rowOf(key)).source).toContain(value);
  });

  test('a redriven task whose reused pages are deleted', async () => {
    const first = await given.crawl({ keyword: newKeyword() });
    const { key } = await whenAskedAfter(first, 1);
    await moveRow(key, { from: ['parsing'] }, { status: 'dead_letter' });
    await moveRow(key, { from: ['dead_letter'] }, { status: 'awaiting', lease_until: 0 });
    await stores.deleteObject(first.pages[0]?.html ?? '');

    expect(await planPages(key, first.crawled_at + 1)).toMatchObject({ outcome: 'claimed', attempt: 2 });
    expect(await rowOf(key)).toMatchObject({ status: 'crawling', reused: false });
  });
});

describe('the snapshot', () => {
  const item = (fields: Partial<ResultItem>): ResultItem => ({
    type: 'organic',
    position: '1',
    title: 'A',
    url: 'https://a.example/',
    breadcrumb: '',
    snippet: '',
    absolute_position: 1,
    url_resolution: 'direct',
    domain: 'a.example',
    ...fields,
  });
  const known = item({});
  const opaque = item({ url_resolution: 'opaque' });
  const unknown = item({ url_resolution: 'opaque', domain: '' });

  test.each<[string, Partial<SerpRow>, ResultItem, boolean | null]>([
    ['a raw search', {}, known, true],
    ['a raw search with hidden addresses', {}, opaque, false],
    ['a tracking search with hidden addresses, after a failed lookup', { domain: 'b.example' }, opaque, true],
    ['a tracking search with a hidden host', { domain: 'b.example' }, unknown, false],
    ['a partial result', { complete: false }, known, null],
    ['a reused result', { reused: true }, known, null],
  ])('of %s is fit for tracking, unfit, or not kept, as listed', async (_what, fields, result, fit) => {
    const first = await given.crawl({ keyword: newKeyword(), frequency: 0 });
    const row = { ...first, snapshot_hash: newKeyword(), ...fields };
    const kept = () => readSnapshot({ snapshot_hash: row.snapshot_hash, source: 'sandbox' }, 0);

    await keepSnapshot(row, { left: [result], right: [] });

    expect((await kept())?.fit_for_tracking ?? null).toBe(fit);
  });

  const channel_url = 'https://www.youtube.com/@acme';
  test.each<[string, Partial<ResultItem>, boolean]>([
    ['a video of a known channel', { type: 'video', channel_url }, true],
    ['a video of an unknown channel', { type: 'video' }, false],
    ['something else of an unknown channel', { type: 'short' }, true],
  ])('of videos with %s', async (_what, fields, fit) => {
    const first = await given.crawl({ keyword: newKeyword(), frequency: 0 });
    const row = { ...first, snapshot_hash: newKeyword() };

    await keepSnapshot(row, { left: [item(fields)], right: [] }, readers.youtube.sites);

    const key = { snapshot_hash: row.snapshot_hash, source: 'sandbox' };
    expect((await readSnapshot(key, 0))?.fit_for_tracking).toBe(fit);
  });

  test.each([
    [undefined, 'fetched'],
    ['acme.example', 'claimed'],
  ])('without all addresses is not reused by a tracking search (%s: %s)', async (domain, outcome) => {
    const first = await given.crawl({ keyword: newKeyword() });
    const key = { snapshot_hash: first.snapshot_hash, source: 'sandbox' };
    const snapshot = await readSnapshot(key, 0);
    if (!snapshot) throw new Error('Nothing was kept');
    await putSnapshot({ ...snapshot, crawled_at: first.crawled_at + 1, fit_for_tracking: false });

    expect((await whenAskedAfter(first, 5, { domain })).plan.outcome).toBe(outcome);
  });

  test('is the newest one, in any order of writes', async () => {
    const first = await given.crawl({ keyword: newKeyword() });
    const key = { snapshot_hash: first.snapshot_hash, source: 'sandbox' };
    const snapshot = await readSnapshot(key, 0);
    if (!snapshot) throw new Error('Nothing was kept');

    for (const crawled_at of [5, 9, 7])
      await putSnapshot({ ...snapshot, ...key, crawled_at: first.crawled_at + crawled_at });

    expect((await readSnapshot(key, 0))?.crawled_at).toBe(first.crawled_at + 9);
  });

  test('expires after 35 days, like its HTML', async () => {
    const first = await given.crawl({ keyword: newKeyword() });
    const key = { snapshot_hash: first.snapshot_hash, source: 'sandbox' };

    expect(await readSnapshot(key, first.crawled_at + 35 * day - 1)).toMatchObject({
      ttl: first.crawled_at + 35 * day,
    });
    expect(await readSnapshot(key, first.crawled_at + 35 * day)).toBeUndefined();
  });
});
