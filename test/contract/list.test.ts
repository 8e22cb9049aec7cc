/** The list of v1 tasks: its order, its pages, its cursors and its filter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TaskStatus } from '../../lib/model/task-status.ts';
import { crawl, detailOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const known = { ...crawl, location_name: 'United States' };
const path = '/api/v1/serp/crawl';

type Task = { id: number; user_id: number; keyword: string; status: string };

/** A new user, with calls in its name. */
const newUser = async () => {
  const { apiKey } = await service.createAccount({ rate_limit: 0 });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const batch = async (batchPath: string, count: number): Promise<Task[]> => {
    const bodies = Array.from({ length: count }, (_, n) => ({ ...known, keyword: `k${n}` }));
    const { status, body } = await service.call({ path: batchPath, body: JSON.stringify(bodies), headers });
    expect(status, body).toBe(200);
    return JSON.parse(body);
  };
  const get = (query = '') => service.call({ method: 'GET', path: `${path}${query}`, body: null, headers });
  const list = async (query = ''): Promise<{ num_items: number; items: Task[]; cursor: string | null }> => {
    const { status, body } = await get(query);
    expect(status, body).toBe(200);
    return JSON.parse(body);
  };
  return { headers, batch, get, list };
};

const move = async (tasks: readonly Task[], status: TaskStatus) => {
  const { moveRow } = await import('../../lib/store/tasks.ts');
  for (const task of tasks) {
    await moveRow(task, { from: ['awaiting'] }, { status, unfinished: undefined, due_at: undefined });
  }
};

const idsOf = (tasks: readonly Task[]) => tasks.map(({ id }) => id);

test('has the successful tasks of v1, newest first, in pages of 25', async () => {
  const { batch, list } = await newUser();
  const tasks = await batch('/api/v1/serp/crawl/bing/batch', 60);
  await batch('/api/v2/serp/crawl/google/batch', 5);
  const done = tasks.slice(0, 55);
  await move(done, 'success');

  const first = await list();
  const second = await list(`?cursor=${first.cursor}`);
  const third = await list(`?status=success&cursor=${second.cursor}`);

  expect([first, second, third].map((page) => [page.num_items, page.items.length])).toEqual([
    [25, 25],
    [25, 25],
    [5, 5],
  ]);
  expect(third.cursor).toBeNull();
  const listed = [first, second, third].flatMap(({ items }) => items);
  expect(idsOf(listed)).toEqual(idsOf(done).toReversed());
});

test('shows each task as its own address does', async () => {
  const { batch, list, headers } = await newUser();
  const [task] = await batch('/api/v1/serp/crawl/yahoo/batch', 1);

  const { items } = await list('?status=awaiting');

  const read = await service.call({ method: 'GET', path: `${path}/${task?.id}`, body: null, headers });
  expect(items).toEqual([JSON.parse(read.body)]);
});

test('is empty for a user without tasks, and for the state that no task has', async () => {
  const { batch, list } = await newUser();

  expect(await list()).toEqual({ num_items: 0, items: [], cursor: null });
  await move(await batch('/api/v1/serp/crawl/google/batch', 2), 'success');
  expect(await list('?status=completed')).toEqual({ num_items: 0, items: [], cursor: null });
  expect((await list('?cursor=')).num_items).toBe(2);
});

test('its pages do not move while tasks are added and end', async () => {
  const { batch, list } = await newUser();
  const tasks = await batch('/api/v1/serp/crawl/google/batch', 40);
  const [late, ...early] = tasks;
  await move(early, 'success');
  const first = await list();
  await move(late ? [late] : [], 'success');
  // Ids of one second are in no order.
  const now = () => Math.floor(Date.now() / 1000);
  const before = now();
  await expect.poll(now, { timeout: 10_000 }).toBeGreaterThan(before);
  await move(await batch('/api/v1/serp/crawl/google/batch', 10), 'success');

  const second = await list(`?cursor=${first.cursor}`);

  expect(idsOf([...first.items, ...second.items])).toEqual(idsOf(tasks).toReversed());
});

describe('gives 422 for', () => {
  const cursorError = [{ loc: ['query', 'cursor'], type: 'value_error', msg: 'Value error, invalid cursor' }];

  test('a cursor of another user, of another status, or of nobody', async () => {
    const [own, other] = [await newUser(), await newUser()];
    await move(await own.batch('/api/v1/serp/crawl/google/batch', 26), 'success');
    const { cursor } = await own.list();

    for (const answer of [
      await other.get(`?cursor=${cursor}`),
      await own.get(`?status=error&cursor=${cursor}`),
      await own.get(`?status=completed&cursor=${cursor}`),
      await own.get(`?cursor=${cursor}A`),
      await own.get('?cursor=1'),
    ]) {
      expect([answer.status, detailOf(answer)]).toEqual([422, cursorError]);
    }
    expect((await own.list(`?cursor=${cursor}`)).num_items).toBe(1);
  });

  test.each(['done', '', 'SUCCESS'])('the status %j', async (status) => {
    const { get } = await newUser();
    const answer = await get(`?status=${status}`);

    expect(answer.status).toBe(422);
    expect(detailOf(answer)).toMatchObject([{ loc: ['query', 'status'], type: 'enum' }]);
  });
});

test('a page whose results are too large is cut, and the list continues after it', async () => {
  const { batch, list } = await newUser();
  const tasks = await batch('/api/v1/serp/crawl/google/batch', 4);
  const { putResult } = await import('../../lib/store/put-result.ts');
  const { moveRow, readRow } = await import('../../lib/store/tasks.ts');
  for (const { user_id, id } of tasks) {
    const row = await readRow(user_id, id);
    if (!row) throw new Error('There is no row');
    const item = {
      type: 'organic' as const,
      snippet: 's'.repeat(id === tasks[3]?.id ? 7_000_000 : 2_500_000),
    };
    const entry = {
      ...item,
      position: '1',
      absolute_position: 1,
      title: '',
      url: 'https://a.example/',
      breadcrumb: '',
      url_resolution: 'direct' as const,
    };
    const result = { left: [entry], right: [] };
    // Repeated text is small when it is compressed, so the result is stored beside the row.
    const stored = await putResult(row, {
      result,
      tracking: null,
      pages: {},
      total_results: '',
      search_time: null,
      top_10: [],
    });
    await moveRow(row, { from: ['awaiting'] }, { status: 'success', stored, unfinished: undefined });
  }

  const pages = [await list()];
  for (let page = pages[0]; page?.cursor; page = pages.at(-1)) {
    pages.push(await list(`?cursor=${page.cursor}`));
  }

  expect(pages.map(({ items }) => idsOf(items))).toEqual([
    [tasks[3]?.id, tasks[2]?.id, tasks[1]?.id],
    [tasks[0]?.id],
  ]);
  expect(pages[0]?.items[0]).toMatchObject({
    result: {},
    warnings: ['The result of this task is larger than 6 MB and is not shown here: receive it by webhook.'],
  });
});

describe('limit and fields', () => {
  test('a page has as many tasks as `limit` says, and they have the wanted fields', async () => {
    const user = await newUser();
    await user.batch('/api/v1/serp/crawl/google/batch', 60);

    const all = await user.list('?status=awaiting&limit=100&fields=id,keyword');
    expect(all.num_items).toBe(60);
    expect(Object.keys(all.items[0] ?? {}).sort()).toEqual(['id', 'keyword']);
    expect(all.cursor).toBeNull();

    const first = await user.list('?status=awaiting&limit=40&fields=id');
    const second = await user.list(`?status=awaiting&limit=10&fields=id&cursor=${first.cursor}`);
    expect([first.num_items, second.num_items]).toEqual([40, 10]);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(ids).toEqual(all.items.slice(0, 50).map(({ id }) => id));
  });

  test.each(['0', '101', 'many', '1.5'])('a limit of `%s` is 422', async (limit) => {
    const { get } = await newUser();

    const answer = await get(`?limit=${limit}`);
    expect([answer.status, detailOf(answer)[0].loc]).toEqual([422, ['query', 'limit']]);
  });

  test('an unknown name in `fields` is named in a warning', async () => {
    const { get } = await newUser();

    expect((await get('?fields=id,colour')).headers['x-warnings']).toBe(
      'Unknown names in fields are ignored: "colour".',
    );
  });
});
