/** How the embedded stack writes its queues and buckets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openQueues } from '../../../infra/local/stores/durable-queues.ts';
import { importPersistence } from '../../../infra/local/stores/fauxqs-database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queues-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const Loader = v.custom<{ prototype: { db: unknown; load: (this: { db: unknown }) => void } }>(
  (it) => typeof it === 'function',
);

test('queues and buckets are written without a wait for the disk, and serve this machine only', async () => {
  const { PersistenceManager } = v.parse(v.object({ PersistenceManager: Loader }), await importPersistence());
  const load = vi.spyOn(PersistenceManager.prototype, 'load');

  const { fauxqs } = await openQueues(folder);

  const [manager] = load.mock.contexts;
  load.mockRestore();
  if (!(manager?.db instanceof DatabaseSync)) throw new Error('fauxqs opened no database');
  expect(manager.db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
  expect(fauxqs.address).toBe(`http://127.0.0.1:${fauxqs.port}`);
  await fauxqs.stop();
});

test('a second start reports the messages of the first, and shows those that were in flight without counting a receive', async () => {
  const first = await openQueues(folder);
  first.fauxqs.createQueue('Work');
  first.fauxqs.sendMessage('Work', 'in flight');
  const receive = () =>
    fetch(first.fauxqs.address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ReceiveMessage' },
      body: JSON.stringify({ QueueUrl: `${first.fauxqs.address}/000000000000/Work`, VisibilityTimeout: 600 }),
    });
  expect(await (await receive()).text()).toContain('in flight');
  await first.fauxqs.stop();

  const second = await openQueues(folder);

  expect(first.kept).toEqual([]);
  expect(second.kept).toEqual(['in flight']);
  const messages = second.fauxqs.inspectQueue('Work')?.messages;
  expect(messages).toMatchObject({ ready: [{ approximateReceiveCount: 0 }], inflight: [] });
  await second.fauxqs.stop();
});
