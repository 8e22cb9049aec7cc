/** GET /api/v2/serp/crawl: the list of v2 tasks, its filters and its cursor (Reading 31). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchPath, crawl, detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Each test has its own user. */
const givenUser = async () => {
  const { apiKey, account } = await service.createAccount({ rate_limit: 0 });
  // A batch with a webhook is in the index of unfinished work, beside its tasks.
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'x-batch-postback-url': 'https://receiver.example/',
  };
  const call = (method: string, path: string, body: unknown = null) =>
    service.call({ method, path, headers, body: body === null ? null : JSON.stringify(body) });
  return {
    id: account.id,
    post: async (count: number): Promise<{ ids: number[]; batch: number }> => {
      const answer = await call(
        'POST',
        batchPath,
        Array.from({ length: count }, () => crawl),
      );
      const ids = JSON.parse(answer.body).map((task: { id: number }) => task.id);
      return { ids, batch: Number(answer.headers['x-batch-id']) };
    },
    postV1: () => call('POST', '/api/v1/serp/google/crawl', crawl),
    list: async (query = '') => {
      const answer = await call('GET', `${onePath}${query}`);
      return { status: answer.status, detail: detailOf(answer), ...JSON.parse(answer.body) };
    },
  };
};
const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);
const newestFirst = (ids: number[]) => ids.toSorted((a, b) => b - a);

test('has the successful tasks unless another status is asked for', async () => {
  const user = await givenUser();
  const { ids } = await user.post(3);
  await user.postV1();

  expect(await user.list()).toMatchObject({ status: 200, num_items: 0, items: [], cursor: null });
  expect(idsOf(await user.list('?status=all'))).toEqual(newestFirst(ids));
  expect(idsOf(await user.list('?status=awaiting'))).toEqual(newestFirst(ids));
  expect(idsOf(await user.list('?status=error'))).toEqual([]);
});

test('has 25 tasks per page, newest first, and each task once', async () => {
  const user = await givenUser();
  const { ids } = await user.post(60);
  const pages: number[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: { id: number }[]; cursor: string | null } = await user.list(
      `?status=all&cursor=${cursor}`,
    );
    pages.push(idsOf(page));
    cursor = page.cursor;
  }

  expect(pages.map(({ length }) => length)).toEqual([25, 25, 10]);
  expect(pages.flat()).toEqual(newestFirst(ids));
});

test('has the tasks of one batch', async () => {
  const user = await givenUser();
  const { ids, batch } = await user.post(30);
  const other = await user.post(2);

  const first = await user.list(`?status=all&batch=${batch}`);
  const second = await user.list(`?status=all&batch=${batch}&cursor=${first.cursor}`);
  expect([...idsOf(first), ...idsOf(second)]).toEqual(newestFirst(ids));
  expect(second.cursor).toBeNull();
  expect(idsOf(await user.list(`?status=awaiting&batch=${other.batch}`))).toEqual(newestFirst(other.ids));
  expect(idsOf(await user.list(`?batch=${batch}`))).toEqual([]);
  expect(idsOf(await user.list('?status=all&batch=17'))).toEqual([]);
  expect(idsOf(await user.list(`?status=all&batch=${ids[0]}`))).toEqual([]);
  const stranger = await givenUser();
  expect(idsOf(await stranger.list(`?status=all&batch=${batch}`))).toEqual([]);
});

test('has the tasks that were created later than a time', async () => {
  const user = await givenUser();
  const { ids } = await user.post(2);
  const [{ created_at }] = (await user.list('?status=all')).items;

  expect(idsOf(await user.list(`?status=all&created_after=${created_at - 1}`))).toEqual(newestFirst(ids));
  for (const later of [created_at, created_at + 10, 9_007_199_254_740_991]) {
    expect(idsOf(await user.list(`?status=all&created_after=${later}`))).toEqual([]);
  }
  for (const earlier of [0, -5]) {
    expect(idsOf(await user.list(`?status=all&created_after=${earlier}`))).toHaveLength(2);
  }
});

test('has tasks of Google only', async () => {
  const user = await givenUser();
  await user.post(1);

  expect((await user.list('?status=all&engine=google')).num_items).toBe(1);
  expect((await user.list('?status=all&engine=bing')).num_items).toBe(0);
});

describe('answers 422', () => {
  test.each([
    ['status=done', 'status', 'enum'],
    ['engine=altavista', 'engine', 'enum'],
    ['created_after=yesterday', 'created_after', 'int_parsing'],
    ['batch=x', 'batch', 'int_parsing'],
    ['cursor=forged', 'cursor', 'value_error'],
  ])('to ?%s', async (query, name, type) => {
    const { status, detail } = await (await givenUser()).list(`?${query}`);

    expect([status, detail]).toMatchObject([422, [{ loc: ['query', name], type }]]);
  });

  test('to a cursor of another filter, another user or the list of v1', async () => {
    const user = await givenUser();
    await user.post(30);
    const { cursor } = await user.list('?status=all');

    for (const query of ['status=awaiting', 'status=all&created_after=1', 'status=all&engine=google']) {
      expect((await user.list(`?${query}&cursor=${cursor}`)).status).toBe(422);
    }
    expect((await (await givenUser()).list(`?status=all&cursor=${cursor}`)).status).toBe(422);
  });
});
