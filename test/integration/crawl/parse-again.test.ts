/** Stored pages that are read again: a new reader, old pages. */
import * as v from 'valibot';
import { afterAll, expect, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { afterRead } = await import('../after-read.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { parseAgain } = await import('../../../lib/crawl/parse-again.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { readV2Task } = await import('../../../lib/crawl/read-task.ts');
const { putResult } = await import('../../../lib/store/put-result.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { failTask } = await import('../../../lib/task/fail.ts');
afterAll(() => stores.stop());
vi.spyOn(process.stdout, 'write').mockReturnValue(true);

let searches = 0;
const givenTask = async (fields: Record<string, unknown> = {}): Promise<TaskKey> => {
  const keyword = `rivers ${++searches}`;
  const request = v.parse(GoogleCrawlRequest, {
    keyword,
    location_name: 'Canada',
    iso_code: 'CA',
    ...fields,
  });
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example');
  return { user_id: 1, id: task?.id ?? 0 };
};
const rowOf = async (key: TaskKey): Promise<SerpRow> => {
  const row = await readRow(key.user_id, key.id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

/** A successful task. */
const givenCrawled = async (fields: Record<string, unknown> = {}): Promise<SerpRow> => {
  const key = await givenTask(fields);
  const { attempt, batch, rest } = await planPages(key);
  const pages = await Promise.all([...batch, ...(rest.batch ?? [])].map((page) => fetchPage(page)));
  await parseTask({ ...key, attempt }, pages);
  return rowOf(key);
};

/** Gives a task the result of a reader that finds nothing. */
const forgetResult = (row: SerpRow) =>
  putResult(row, {
    result: { left: [], right: [] },
    tracking: null,
    pages: {},
    total_results: '',
    search_time: null,
    top_10: [],
  });
const read = ({ id }: TaskKey) => readV2Task(accountOf(1), id);

test.each([{}, { depth: 40 }, { domain: 'example.com', depth: 20 }])(
  'a task with %j gets the result that the present reader reads, as often as it is asked',
  async (fields) => {
    const row = await givenCrawled(fields);
    const task = await read(row);
    if (!('key' in (row.stored ?? {}))) await forgetResult(row);

    expect(await parseAgain(row)).toBe('parsed again');
    expect(await rowOf(row)).toMatchObject({ status: 'success', parses: 1, delivery: null });
    expect(await read(row)).toEqual({ ...task, html_url: expect.any(String), pages: expect.any(Array) });
    expect((await read(row)).pages.map(({ results }) => results)).toEqual(
      task.pages.map(({ results }) => results),
    );

    expect(await parseAgain(row)).toBe('parsed again');
    expect(await rowOf(row)).toMatchObject({ parses: 2 });
    expect((await read(row)).result).toEqual(task.result);
  },
);

test('a task that is not successful is left alone', async () => {
  const waiting = await givenTask();
  const failed = await givenTask();
  await failTask(failed, { status: 'error', error_message: 'unknown_layout: the page is unknown' });

  expect(await parseAgain(waiting)).toBe('left alone: its status is awaiting');
  expect(await parseAgain(failed)).toBe('left alone: its status is error');
  expect(await parseAgain({ user_id: 1, id: 17 })).toBe('expired');
});

test('a task whose page has expired is left alone', async () => {
  const row = await givenCrawled();
  await stores.deleteObject(row.pages[0]?.html ?? '');

  expect(await parseAgain(row)).toBe(
    'left alone: a stored page has expired, or only a later release can read it',
  );
});

test('a task that changes meanwhile keeps its result', async () => {
  const row = await givenCrawled();
  const before = await read(row);
  afterRead('row', () => moveRow(row, { from: ['success'] }, { attempt: 7 }));

  expect(await parseAgain(row)).toBe('left alone: it was changed meanwhile');
  expect((await rowOf(row)).stored).toEqual(row.stored);
  expect((await read(row)).result).toEqual(before.result);
});
