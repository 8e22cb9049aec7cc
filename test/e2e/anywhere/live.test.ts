/** Requests that wait for the result: live calls of v1, and `wait` of v2. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { V1Task, V1TaskList } from '../../../lib/model/v1-task.ts';
import type { V2Task } from '../../../lib/model/v2-task.ts';
import { clientOf, finalStates } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';
import { until } from '../until.ts';

const service = sharedService();
const client = clientOf(service);

const place = { location_name: 'United States', iso_code: 'US' };
const ask = (engine: string, fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  client.json<V1Task>(`/api/v1/serp/${engine}/crawl/live`, {
    method: 'POST',
    body: JSON.stringify({ ...place, frequency: 0, ...fields }),
    headers,
  });
/** Asks again if the search did not end while the request waited, as can happen on a busy machine. */
const live = async (engine: string, fields: Record<string, unknown>): Promise<V1Task> => {
  const task = await ask(engine, fields);
  return finalStates.includes(task.status) ? task : live(engine, fields);
};
const read = (id: number) => client.json<V1Task>(`/api/v1/serp/crawl/${id}`);

describe.concurrent('a live call', () => {
  test.each(['google', 'bing', 'yahoo', 'youtube'])(
    'of %s returns the task with its result',
    async (engine) => {
      const task = await live(engine, { keyword: `live ${engine} bread` });

      expect(task).toMatchObject({
        status: 'success',
        complete: true,
        error_message: null,
        retries_count: 0,
      });
      expect((task.result as { left: unknown[] }).left.length).toBeGreaterThan(0);
      expect(await read(task.id)).toEqual(task);
    },
  );

  test('waits for a slow engine', async () => {
    expect(await live('google', { keyword: 'slow: live bread' })).toMatchObject({ status: 'success' });
  });

  test('returns a task that ends in error, with the reason', async () => {
    const task = await live('google', { keyword: 'reset: live bread' });

    expect(task).toMatchObject({ status: 'error', result: {}, complete: false });
    expect(task.error_message).toMatch(/^unreachable: /);
  });

  test('tracks a domain over ten pages', async () => {
    const task = await live('google', { keyword: 'live coffee', domain: 'latecomer.example' });

    expect(task).toMatchObject({
      status: 'success',
      result: { 'latecomer.example': { type: 'owner', results: { organic: { type: 'organic' } } } },
    });
  });

  test('is answered from the pages of an earlier task', async () => {
    const first = await live('google', { keyword: 'live reuse', frequency: 24 });
    const second = await live('google', { keyword: 'live reuse', frequency: 24 });

    expect(second).toMatchObject({
      status: 'success',
      reused: true,
      crawled_at: first.crawled_at,
      warnings: [expect.stringMatching(/^The pages were fetched for another search, .* before this one\./)],
    });
  });

  test('is delivered, too', async () => {
    const receiver = await startReceiver(() => 200);
    const task = await live('google', { keyword: 'live lake', postback_url: receiver.url });
    const payloads = () =>
      receiver.received.map(({ body, headers }) => new Webhook(service.webhookSecret).verify(body, headers));
    const sent = () => payloads().find((payload) => (payload as V1Task).id === task.id);
    await until(() => sent() !== undefined, `task ${task.id} was not delivered`);
    await receiver.stop();

    expect(sent()).toEqual(task);
  });

  test('is in the list of v1, and unknown to v2', async () => {
    const task = await live('bing', { keyword: 'live list' });

    const { items } = await client.json<V1TaskList>('/api/v1/serp/crawl');
    expect(items.map(({ id }) => id)).toContain(task.id);
    expect((await client.call(`/api/v2/serp/crawl/${task.id}`)).status).toBe(404);
  });

  test('is repeated safely with an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': `live-${Date.now()}` };
    const body = { keyword: 'live once' };
    const first = await ask('google', body, key);
    const again = await ask('google', body, key);

    expect(again).toEqual(first);
  });

  test('of an unknown engine is 422', async () => {
    const reply = await client.call('/api/v1/serp/altavista/crawl/live', {
      method: 'POST',
      body: JSON.stringify({ ...place, keyword: 'k' }),
    });

    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({ detail: [{ loc: ['path', 'system_name'], type: 'enum' }] });
  });
});

describe.concurrent('wait', () => {
  const create = (query: string, keyword: string) =>
    client.json<V2Task>(`/api/v2/serp/crawl${query}`, {
      method: 'POST',
      body: JSON.stringify({ ...place, keyword, frequency: 0 }),
    });

  test('on creation returns the task in its final state', async () => {
    const waited = async (): Promise<V2Task> => {
      const created = await create('?wait=25', 'wait tea');
      return finalStates.includes(created.status) ? created : waited();
    };
    const task = await waited();

    expect(task).toMatchObject({ status: 'success', complete: true });
    expect(await client.read(task.id)).toEqual(task);
  });

  test('ends before a slow task; a second wait returns its result', async () => {
    const created = await create('?wait=1', 'slow: wait tea');
    expect(['awaiting', 'crawling']).toContain(created.status);
    expect(created.result).toBeNull();

    const read = (): Promise<V2Task> => client.json(`/api/v2/serp/crawl/${created.id}?wait=25`);
    const waited = async (task: V2Task): Promise<V2Task> =>
      finalStates.includes(task.status) ? task : waited(await read());
    expect(await waited(await read())).toMatchObject({ id: created.id, status: 'success' });
  });

  test('on reading an unknown task is 404 at once', async () => {
    expect((await client.call('/api/v2/serp/crawl/1?wait=25')).status).toBe(404);
  });

  test.each([
    ['0', 'greater_than_equal'],
    ['26', 'less_than_equal'],
    ['-1', 'greater_than_equal'],
    ['1.5', 'int_parsing'],
    ['', 'int_parsing'],
    ['soon', 'int_parsing'],
  ])('%j is 422', async (wait, type) => {
    const body = JSON.stringify({ ...place, keyword: 'k' });
    for (const reply of [
      await client.call(`/api/v2/serp/crawl?wait=${wait}`, { method: 'POST', body }),
      await client.call(`/api/v2/serp/crawl/1?wait=${wait}`),
    ]) {
      expect(reply.status).toBe(422);
      expect(await reply.json()).toMatchObject({ detail: [{ loc: ['query', 'wait'], type }] });
    }
  });
});
