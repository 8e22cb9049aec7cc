/** A start finds the data and the keys of the one before, and finishes the tasks that it had accepted. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandHere } from '../../command-here.ts';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let dataDir: string;
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'restart-'));
  service = await startService({}, dataDir);
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a second start finds the user and the tasks of the first, and finishes tasks that were accepted before a SIGKILL', async () => {
  const first = service;
  const done = await clientOf(first).searched({ keyword: 'before the stop' });
  const accepted = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      clientOf(first).search({ keyword: `${n % 4 === 0 ? 'slow: ' : ''}killed ${n}` }),
    ),
  );
  const killed = new Promise((resolve) => first.child.once('exit', resolve));
  first.child.kill('SIGKILL');
  await killed;

  service = await startService({}, dataDir);
  const client = clientOf(service);
  expect({ key: service.apiKey, secret: service.webhookSecret }).toEqual({
    key: first.apiKey,
    secret: first.webhookSecret,
  });
  expect(await client.read(done.id)).toEqual(done);
  const ended = await client.allFinished(accepted.map(({ id }) => id));
  expect(ended.map((task) => task.status)).toEqual(accepted.map(() => 'success'));
});

test('a rotated key of the first user is still its key after a restart, and the former one works too', async () => {
  const former = service.apiKey;
  const { stdout } = await commandHere('user', ['rotate', '1'], { DATA_DIR: dataDir });
  await service.stop();

  service = await startService({}, dataDir);

  const status = async (apiKey: string) =>
    (await clientOf({ url: service.url, apiKey }).call('/api/v2/serp/crawl/1')).status;
  expect(stdout).toMatch(new RegExp(`^API key +${service.apiKey}$`, 'm'));
  expect(service.apiKey).not.toBe(former);
  expect(await Promise.all([former, service.apiKey].map(status))).toEqual([404, 404]);
});

test('only the owner can read the file of the first user', async () => {
  expect((await stat(join(dataDir, 'first-user.json'))).mode & 0o777).toBe(0o600);
});

test('a malformed API_KEY stops the start with a message', async () => {
  await expect(startService({ API_KEY: 'nope' })).rejects.toThrow(/API_KEY/);
});
