/**
 * All functions together keep the rate of an engine, and a wait for a turn costs a task nothing. A throttled
 * task is retried, or ends with the reason.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { V1Task } from '../../../lib/model/v1-task.ts';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';
import { patienceMs } from '../until.ts';

const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

const start = async (env: Record<string, string>) => {
  const service = await startService({ CLOCK_RATE: '60', ...env });
  stops.push(service.stop);
  return clientOf(service);
};

describe.concurrent('at a rate', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    service = await startService({ CLOCK_RATE: '60', GOOGLE_RATE: '5', BING_RATE: '0.001' });
  });
  afterAll(() => service.stop());

  test('thirty tasks at five pages a second take at least five seconds, and all succeed at the first attempt', async () => {
    const client = clientOf(service);
    const begun = Date.now();
    const tasks = await client.json<{ id: number }[]>('/api/v2/serp/crawl/google/batch', {
      method: 'POST',
      body: JSON.stringify(
        Array.from({ length: 30 }, (_, n) => ({
          keyword: `in line ${n}`,
          location_name: 'United States',
          iso_code: 'US',
          frequency: 0,
        })),
      ),
    });
    const ended = await client.allFinished(tasks.map(({ id }) => id));

    expect(Date.now() - begun).toBeGreaterThanOrEqual(5000);
    expect(ended.map(({ status, retries_count }) => ({ status, retries_count }))).toEqual(
      tasks.map(() => ({ status: 'success', retries_count: 0 })),
    );
  });

  test('a search that is answered from a snapshot takes no turn', async () => {
    const client = clientOf(service);
    const first = await client.searchedV1('bing', { keyword: 'asked before', depth: 10 });
    const behind = await client.searchV1('bing', { keyword: 'not asked before', depth: 10 });
    const again = await client.searchedV1('bing', { keyword: 'asked before', depth: 10 });

    expect([first.reused, again.reused]).toEqual([false, true]);
    expect(again.status).toBe('success');
    // Its turn is a thousand seconds after that of the first.
    const { status } = await client.json<V1Task>(`/api/v1/serp/crawl/${behind.id}`);
    expect(status).toBe('awaiting');
  });
});

test.concurrent('a task that the engine throttles beyond its deadline ends in error as throttled', async () => {
  // The pause after the first answer is 10 s.
  const client = await start({ TASK_DEADLINE: '9' });
  const search = () => client.searched({ keyword: 'http_429: coffee', depth: 20 });
  let task = await search();
  // On a slow machine, a task may reach its deadline before its pages are asked for, or while they are.
  while (task.error_message?.startsWith('timeout: ')) task = await search();

  expect(task).toMatchObject({ status: 'error', result: null, top_10: null, retries_count: 0 });
  expect(task.error_message).toMatch(/^throttled: /);
  expect(task.pages).toMatchObject([
    { status: 'failed', retry_count: 0 },
    { status: 'failed', retry_count: 0 },
  ]);
});

/** An engine that answers 429 to every request. */
const startEngine = async () => {
  const asked: number[] = [];
  const server = createServer((_request, response) => {
    asked.push(Date.now());
    response.writeHead(429, { 'content-type': 'text/html' }).end('<html><body>Come back later</body></html>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/**
 * A task that is throttled until its deadline, as it is read while it waits and at its end, and the times of
 * its requests.
 */
const throttle = async () => {
  const { asked, origin } = await startEngine();
  const client = await start({ GOOGLE_ORIGIN: origin, TASK_DEADLINE: '25' });
  const { id } = await client.search({ keyword: 'coffee', frequency: 0 });
  const waiting = await vi.waitFor(
    async () => {
      const task = await client.read(id);
      expect(task.error_message).toMatch(/^throttled: the task waits for the engine until |^timeout: /);
      return task;
    },
    { timeout: patienceMs, interval: 50 },
  );
  return { asked, waiting, ended: await client.finished(id) };
};

/** On a slow machine, a task may reach its deadline before its second request. */
const attempts = 4;

test.concurrent('a throttled task waits as crawling, is retried after growing pauses, and ends at its deadline with the reason', async () => {
  let seen = await throttle();
  for (let n = 1; n < attempts && seen.asked.length < 2; n += 1) seen = await throttle();
  const { asked, waiting, ended } = seen;

  expect(waiting).toMatchObject({
    status: 'crawling',
    result: null,
    error_message: expect.stringMatching(/^throttled: the task waits for the engine until /),
  });
  // Requests come at 0 s and 10 s. The third would come at 30 s, after the deadline.
  expect(asked).toHaveLength(2);
  expect(Number(asked[1]) - Number(asked[0])).toBeGreaterThan(9000);
  expect(ended).toMatchObject({ status: 'error', result: null, retries_count: 1 });
  expect(ended.error_message).toMatch(/^throttled: /);
}, 1_500_000);
