/** The v1 interface as a client sees it: its tasks, their HTML and their webhooks. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, inject, test } from 'vitest';
import type { SerpTask } from '../../../lib/model/serp-task.ts';
import { clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';

const service = inject('service');
const client = clientOf(service);

test('a search is answered at once with a waiting task, and ends in success', async () => {
  const created = await client.searchV1('google', { keyword: 'v1 bread', frequency: 0, priority: 2 });

  expect(created).toMatchObject({
    status: 'awaiting',
    keyword: 'v1 bread',
    engine_domain: 'google.com',
    priority: 2,
    upstream_id: null,
    user_agent: null,
    html_key: null,
    result: {},
    top_10: null,
    succeed_at: 0,
    ttl: created.created_at + 86_400,
  });
  const task = await client.finishedV1(created.id);
  expect(task).toMatchObject({ status: 'success', complete: true, snapshot_hash: created.snapshot_hash });
  const { left } = task.result as { left: { type: string; position: string; domain?: string }[] };
  const organic = left.filter(({ type }) => type === 'organic');
  expect(organic.map(({ position }) => position)).toEqual(organic.map((_, n) => String(n + 1)));
  expect(task.top_10).toEqual([...new Set(organic.map(({ domain }) => domain))].slice(0, 10));
});

test('a tracked domain is looked for beyond the first page', async () => {
  const task = await client.searchedV1('google', { keyword: 'v1 coffee', domain: 'latecomer.example' });

  expect(task).toMatchObject({
    status: 'success',
    result: { 'latecomer.example': { type: 'owner', results: { organic: { type: 'organic' } } } },
  });
});

test('a batch is answered with its tasks in order, and every task ends', async () => {
  const keywords = ['v1 one', 'v1 two', 'v1 three'];
  const body = keywords.map((keyword) => ({ keyword, location_name: 'France', iso_code: 'FR' }));

  const tasks = await client.json<SerpTask[]>('/api/v1/serp/crawl/google/batch', {
    method: 'POST',
    body: JSON.stringify(body),
  });

  expect(tasks.map(({ keyword }) => keyword)).toEqual(keywords);
  const ended = await Promise.all(tasks.map(({ id }) => client.finishedV1(id)));
  expect(ended.map(({ status }) => status)).toEqual(keywords.map(() => 'success'));
});

describe('a task of one version', () => {
  test('is unknown to the other, but both have readable HTML', async () => {
    const [v1, v2] = await Promise.all([
      client.searchedV1('google', { keyword: 'v1 garden' }),
      client.searched({ keyword: 'v2 garden' }),
    ]);
    const status = async (path: string) => (await client.call(path)).status;

    expect(await status(`/api/v1/serp/crawl/${v2.id}`)).toBe(404);
    expect(await status(`/api/v2/serp/crawl/${v1.id}`)).toBe(404);
    for (const { id, keyword } of [v1, v2]) {
      const { html } = await client.json<{ html: string }>(`/api/v1/serp/crawl/${id}/html`);
      expect(html).toContain(keyword);
      expect(await status(`/api/v1/serp/crawl/${id}/html?page=2`)).toBe(404);
    }
  });
});

test('the webhook is the task as GET returns it, at each attempt', async () => {
  const receiver = await startReceiver((count) => (count === 1 ? 500 : 200));
  const { id } = await client.searchV1('google', { keyword: 'v1 lake', postback_url: receiver.url });
  const [first, second] = await receiver.until(2);
  const task = await client.finishedV1(id);
  await receiver.stop();

  const [before, after] = [first, second].map((delivery) =>
    new Webhook(service.webhookSecret).verify(delivery!.body, delivery!.headers),
  );
  expect(after).toEqual(task);
  expect(task).toMatchObject({ status: 'success', postback_retries_count: 1 });
  expect(before).toEqual({ ...task, postback_retries_count: 0 });
});
