/**
 * SIGTERM while tasks are in work: the service ends in time, and its next start finishes all accepted tasks.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { patienceMs, until } from '../until.ts';

let dataDir: string;
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'stop-'));
  service = await startService({}, dataDir);
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

test('SIGTERM with work in flight: exit code 0, and the next start finishes what was accepted', async () => {
  const receiver = await startReceiver();
  const first = service;
  const accepted: number[] = [];
  // A client that sends one search after the other until the service refuses its connection. Not as fast as
  // it can: what is accepted while the service stops, the next start has to crawl.
  const sendSearches = async (client: number) => {
    for (let n = 0; ; n += 1) {
      if (n > 6) await setTimeout(300);
      const fields = {
        keyword: `${n % 2 === 0 ? 'slow: ' : ''}${client} ${n}`,
        postback_url: receiver.url,
      };
      const task = await clientOf(first)
        .search(fields)
        .catch(() => null);
      if (!task) return;
      accepted.push(task.id);
    }
  };
  const clients = Promise.all([1, 2, 3].map(sendSearches));
  await expect.poll(() => accepted.length, { timeout: patienceMs }).toBeGreaterThan(20);

  const exited = once(first.child, 'exit');
  first.child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await clients;

  service = await startService({}, dataDir);
  try {
    const client = clientOf(service);
    // The receiver waits without requests, and then each task is read once.
    const missing = () => {
      const delivered = new Set(receiver.received.map(({ body }) => Number(JSON.parse(body).id)));
      return accepted.filter((id) => !delivered.has(id));
    };
    await until(
      () => missing().length === 0,
      () => `no webhooks of ${missing()}`,
    );
    const ended = await client.allFinished(accepted);
    expect(ended.map(({ status }) => status)).toEqual(accepted.map(() => 'success'));
  } finally {
    await receiver.stop();
  }
});

test('Ctrl-C says that the service is stopping, and ends it without an error', async () => {
  const printed = text(service.child.stdout ?? Readable.from([]));
  const failed = text(service.child.stderr ?? Readable.from([]));
  // A page that holds its connection keeps a function busy for longer than a stop waits.
  await clientOf(service).search({ keyword: 'slow: work in flight' });

  const exited = once(service.child, 'exit');
  service.child.kill('SIGINT');

  expect(await exited).toEqual([0, null]);
  expect(await printed).toMatch(/^stopping…$/m);
  expect(await failed).toBe('');
});
