/**
 * A batch from its request to its webhook and its file, the forms of a result, and webhooks that are sent
 * again.
 */
import { parse } from 'csv-parse/sync';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import type { Batch } from '../../../lib/model/batch.ts';
import type { Deliveries } from '../../../lib/model/deliveries.ts';
import type { RawResult } from '../../../lib/model/result.ts';
import type { V2Task } from '../../../lib/model/v2-task.ts';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';
import { until } from '../until.ts';

const service = sharedService();
const client = clientOf(service);

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
const receivers: Receiver[] = [];
const given = async (answer?: (count: number) => number): Promise<Receiver> => {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
};
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads until the condition holds. */
const readUntil = async <T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> => {
  let value = await read();
  await until(
    async () => {
      if (!isReached(value)) value = await read();
      return isReached(value);
    },
    () => `not reached: ${JSON.stringify(value).slice(0, 500)}`,
  );
  return value;
};

const search = { location_name: 'United States', iso_code: 'US' };

const postBatch = async (path: string, keywords: string[], headers: Record<string, string> = {}) => {
  const body = JSON.stringify(keywords.map((keyword) => ({ keyword, ...search })));
  const reply = await client.call(path, { method: 'POST', body, headers });
  expect(reply.status).toBe(200);
  return Number(reply.headers.get('x-batch-id'));
};
const finished = (id: number) =>
  readUntil(
    () => client.json<Batch>(`/api/v2/serp/batches/${id}`),
    ({ status }) => status === 'finished',
  );
const pathOf = (url: string) => url.slice(url.indexOf('/api/'));

describe.concurrent('a batch', () => {
  test('is reported once, signed, and its file has all tasks in their order', async () => {
    const receiver = await given();
    const keywords = ['harbour cranes', 'captcha: harbour cranes', 'harbour boats', 'harbour seals'];

    const id = await postBatch('/api/v2/serp/crawl/google/batch', keywords, {
      'x-batch-postback-url': receiver.url,
    });
    await receiver.until(1);
    await pause(1500);

    expect(receiver.received).toHaveLength(1);
    const [delivery] = receiver.received;
    const payload = new Webhook(service.webhookSecret).verify(delivery!.body, delivery!.headers);
    const batch = await finished(id);
    expect(payload).toEqual({ type: 'batch.finished', ...batch });
    expect(delivery!.headers).toMatchObject({ 'webhook-type': 'batch.finished' });
    expect(batch).toMatchObject({ total: 4, counts: { success: 3, error: 1, awaiting: 0 } });

    const reply = await client.call(pathOf(batch.results_url!));
    expect(reply.headers.get('content-type')).toContain('jsonl');
    const lines: V2Task[] = (await reply.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ keyword }) => keyword)).toEqual(keywords);
    expect(lines.map(({ status }) => status)).toEqual(['success', 'error', 'success', 'success']);
    expect(lines[0]?.result).toMatchObject({ left: expect.any(Array), right: expect.any(Array) });
    expect(lines[0]?.pages[0]?.results).toBeNull();
  });

  test('of version 1 can be downloaded as CSV', async () => {
    const id = await postBatch('/api/v1/serp/crawl/bing/batch', ['harbour ropes', 'harbour chains']);
    const { results_url } = await finished(id);

    const reply = await client.call(`${pathOf(results_url!)}?format=csv`, {
      headers: { 'accept-encoding': 'identity' },
    });

    expect(reply.headers.get('content-type')).toContain('text/csv');
    const rows: Record<string, string>[] = parse(await reply.text(), { columns: true });
    expect(new Set(rows.map(({ keyword }) => keyword))).toEqual(new Set(['harbour ropes', 'harbour chains']));
    expect(rows.filter(({ type }) => type === 'organic').length).toBeGreaterThan(10);
  });
});

describe.concurrent('a finished task', () => {
  test('has the facts of its page, links to its HTML, and the forms that are asked for', async () => {
    const task = await client.searched({ keyword: 'harbour lights' });

    expect(task).toMatchObject({
      total_results: expect.stringMatching(/\d/),
      search_time: expect.any(Number),
    });
    for (const url of [task.html_url, task.pages[0]!.html_url]) {
      const page = await fetch(service.url + url.slice(url.indexOf('/pages/')));
      expect(await page.text()).toContain('<html');
    }
    const path = `/api/v2/serp/crawl/${task.id}`;
    const csv = await (await client.call(path, { headers: { accept: 'text/csv' } })).text();
    const { left, right } = task.result as RawResult;
    const items = [...left, ...right];
    expect(parse(csv, { columns: true })).toHaveLength(items.length);
    const markdown = await (await client.call(`${path}?format=markdown`)).text();
    expect(markdown).toMatch(/^# harbour lights\n/);
    const lines = await (await client.call(`${path}?format=jsonl&fields=result`)).text();
    expect(lines.trimEnd().split('\n')).toHaveLength(items.length);
  });

  test('repeats no results if `fields` names both places', async () => {
    const task = await client.searched({ keyword: 'harbour lights' });
    const read = (fields: string) => client.json<V2Task>(`/api/v2/serp/crawl/${task.id}?fields=${fields}`);

    expect(Object.keys(await read('pages'))).toEqual(['pages']);
    expect((await read('pages')).pages[0]?.results).not.toBeNull();
    expect((await read('result,pages')).pages[0]?.results).toBeNull();
    expect(task.pages[0]?.results).not.toBeNull();
  });

  test('is sent compressed', async () => {
    const task = await client.searched({ keyword: 'harbour lights' });
    const reply = await client.call(`/api/v2/serp/crawl/${task.id}`, {
      headers: { 'accept-encoding': 'gzip' },
    });

    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(((await reply.json()) as V2Task).id).toBe(task.id);
  });
});

describe.concurrent('a webhook', () => {
  test('has the columns that the request asks for, and says that it comes from the sandbox', async () => {
    const receiver = await given();

    const task = await client.searched({
      keyword: 'harbour fish',
      postback_url: receiver.url,
      postback_fields: ['left', 'right'],
    });
    await receiver.until(1);

    const [{ body, headers } = { body: '', headers: {} as Record<string, string> }] = receiver.received;
    expect(JSON.parse(body).result).toMatchObject(task.result!);
    if (service.embedded) expect(headers['x-search-source']).toBe('sandbox');
  });

  test('is sent again by its owner, with the same id, and its attempts are shown', async () => {
    const receiver = await given((count) => (count === 1 ? 500 : 200));
    const { id } = await client.searched({ keyword: 'harbour tugs', postback_url: receiver.url });
    const read = () => client.json<Deliveries>(`/api/v2/serp/crawl/${id}/deliveries`);
    const isDelivered = ({ state }: Deliveries) => state === 'delivered';
    expect((await readUntil(read, isDelivered)).attempts).toMatchObject([
      { status: 500, error: 'the receiver answered 500' },
      { status: 200, error: null },
    ]);

    const again = await client.json<Deliveries>(`/api/v2/serp/crawl/${id}/postback`, { method: 'POST' });

    expect(again.state).toBe('pending');
    await receiver.until(3);
    const { attempts, delivery_id } = await readUntil(read, isDelivered);
    expect(attempts).toHaveLength(3);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(delivery_id));
  });

  test('of a task without postback_url cannot be sent', async () => {
    const { id } = await client.searched({ keyword: 'harbour lights' });

    const reply = await client.call(`/api/v2/serp/crawl/${id}/postback`, { method: 'POST' });

    expect(reply.status).toBe(409);
    expect(await client.json<Deliveries>(`/api/v2/serp/crawl/${id}/deliveries`)).toMatchObject({
      state: null,
      attempts: [],
    });
  });
});
