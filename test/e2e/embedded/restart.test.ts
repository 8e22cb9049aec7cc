/**
 * A second start finds the data of the first, and finishes the tasks that were accepted before the process
 * was killed.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'restart-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('a second start finds the user and the tasks of the first, and finishes tasks that were accepted before a SIGKILL', async () => {
  const first = await startService({}, dataDir);
  const done = await clientOf(first).searched({ keyword: 'before the stop' });
  const accepted = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      clientOf(first).search({ keyword: `${n % 4 === 0 ? 'slow: ' : ''}killed ${n}` }),
    ),
  );
  const killed = new Promise((resolve) => first.child.once('exit', resolve));
  first.child.kill('SIGKILL');
  await killed;

  const second = await startService({}, dataDir);
  try {
    const client = clientOf(second);
    expect({ key: second.apiKey, secret: second.webhookSecret }).toEqual({
      key: first.apiKey,
      secret: first.webhookSecret,
    });
    expect(await client.read(done.id)).toEqual(done);
    const ended = await client.allFinished(accepted.map(({ id }) => id));
    expect(ended.map((task) => task.status)).toEqual(accepted.map(() => 'success'));
  } finally {
    await second.stop();
  }
});

test('only the owner can read the file of the first user', async () => {
  expect((await stat(join(dataDir, 'first-user.json'))).mode & 0o777).toBe(0o600);
});

test('a malformed API_KEY stops the start with a message', async () => {
  await expect(startService({ API_KEY: 'nope' })).rejects.toThrow(/API_KEY/);
});
