/** How the embedded stack writes its queues and buckets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openQueues } from '../../../infra/local/stores/durable-queues.ts';

test('queues and buckets are written without a wait for the disk, and serve this machine alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'queues-'));
  const opened = new Set<DatabaseSync>();
  const { exec } = DatabaseSync.prototype;
  Object.assign(DatabaseSync.prototype, {
    exec(this: DatabaseSync, sql: string) {
      opened.add(this);
      exec.call(this, sql);
    },
  });

  const { fauxqs } = await openQueues(folder);

  const modes = [...opened].map((database) => database.prepare('PRAGMA synchronous').get()?.synchronous);
  expect(modes).toEqual([1]);
  expect(fauxqs.address).toBe(`http://127.0.0.1:${fauxqs.port}`);
  await fauxqs.stop();
  rmSync(folder, { recursive: true, force: true });
});
