/**
 * A live call whose crawl takes longer than the call may wait: the call returns the task as it is, and the
 * crawl goes on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { V1Task } from '../../../lib/model/v1-task.ts';
import { unsentSeconds } from '../../../lib/task/timing.ts';
import { clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { pageFor } from './engine.ts';
import { movedClock } from './moved-clock.ts';

/**
 * The first fetch gets no answer, and the second one takes 6 s: 18 s for the first page. The other pages,
 * which are fetched together, come when the call has returned.
 */
const answerAfterMs = 6000;
let fetches = 0;
const returned = Promise.withResolvers<void>();

const engine = createServer(async (request, response) => {
  const address = new URL(request.url ?? '/', 'https://www.google.com');
  if (address.pathname === '/search') {
    fetches += 1;
    if (fetches === 1) return;
    if (fetches === 2) await sleep(answerAfterMs);
    else await returned.promise;
  }
  const page = pageFor(request, address);
  response.writeHead(page.status, page.headers).end(page.body);
});

const dataDir = mkdtempSync(join(tmpdir(), 'live-'));
const clock = movedClock(dataDir);
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  service = await startService(
    {
      ...clock.environment,
      GOOGLE_ORIGIN: `http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
      // The sweeper runs every five seconds.
      CLOCK_RATE: '20',
    },
    dataDir,
  );
});
afterAll(async () => {
  await service.stop();
  engine.closeAllConnections();
  engine.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

test('the task is returned while it is crawled, and ends with its result and its webhook', async () => {
  const client = clientOf(service);
  const receiver = await startReceiver();

  const task = await client.json<V1Task>('/api/v1/serp/google/crawl/live', {
    method: 'POST',
    body: JSON.stringify({
      keyword: 'live and slow',
      location_name: 'United States',
      iso_code: 'US',
      domain: 'nobody.example',
      postback_url: receiver.url,
    }),
  });
  returned.resolve();
  const ended = await client.finishedV1(task.id);
  // Then the sweeper sends the webhook.
  clock.set(unsentSeconds + 1);
  const [delivery] = await receiver.until(1);
  await receiver.stop();

  expect(task).toMatchObject({ status: 'crawling', result: {}, complete: null, succeed_at: 0 });
  expect(ended).toMatchObject({ id: task.id, status: 'success', retries_count: 0 });
  expect(JSON.parse(delivery!.body)).toEqual(ended);
});
