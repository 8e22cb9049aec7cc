/** What a first start has, a second one finds; what was accepted when the process was killed is finished by the next. */
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

test('a second start finds the user and the tasks of the first, and accepted tasks end after a SIGKILL', async () => {
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
    const ended = await Promise.all(accepted.map(({ id }) => client.finished(id, 55_000)));
    expect(ended.map((task) => task.status)).toEqual(accepted.map(() => 'success'));
  } finally {
    await second.stop();
  }
});

test('the first user is kept where only its owner can read it', async () => {
  expect((await stat(join(dataDir, 'first-user.json'))).mode & 0o777).toBe(0o600);
});

test('an API_KEY of the wrong form ends the start, and says so', async () => {
  await expect(startService({ API_KEY: 'nope' })).rejects.toThrow(/API_KEY/);
});
