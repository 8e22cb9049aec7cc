/** The clock of the machine is set back, or jumps forward while all processes of the service are stopped. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { createdAt } from '../../../lib/task/id.ts';
import { childrenOf } from '../../processes.ts';
import { clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { patienceMs, until } from '../until.ts';
import { movedClock } from './moved-clock.ts';

/**
 * A service in a folder of its own, whose clock can be moved, and a receiver that refuses the first
 * `refusals` deliveries. Both end with the test.
 */
const given = async (
  { onTestFinished }: TestContext,
  refusals = 0,
  settings: Record<string, string> = {},
) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'clock-'));
  const clock = movedClock(dataDir);
  let refused = 0;
  const receiver = await startReceiver(() => {
    refused += 1;
    return refused > refusals ? 204 : 500;
  });
  // Retries of webhooks after one second instead of a minute.
  const start = () =>
    startService({ ...clock.environment, RATE_LIMIT: '1000', CLOCK_RATE: '60', ...settings }, dataDir);
  let service = await start();

  /** The process of the service and the process of its stores. */
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const { pid = 0 } = service.child;
    for (const each of [pid, ...childrenOf(pid)]) process.kill(each, name);
  };

  const client = () => clientOf(service);

  const postSearches = (count: number, name: string) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        client().search({
          keyword: `${n % 2 === 0 ? 'slow: ' : ''}${name} ${n}`,
          postback_url: receiver.url,
        }),
      ),
    );

  /** Waits until all tasks are final and delivered. Returns the statuses. */
  const statusesOf = async (ids: number[]): Promise<string[]> => {
    const missing = () => {
      const delivered = new Set(receiver.received.map(({ body }) => Number(JSON.parse(body).id)));
      return ids.filter((id) => !delivered.has(id));
    };
    await until(
      () => missing().length === 0,
      () => `no webhooks of ${missing()}`,
    );
    const ended = await client().allFinished(ids);
    return ended.map(({ status }) => status);
  };

  onTestFinished(async () => {
    await service.stop();
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return {
    dataDir,
    clock,
    receiver,
    client,
    signal,
    postSearches,
    statusesOf,
    restart: async (whileStopped: () => void = () => undefined) => {
      await service.stop();
      whileStopped();
      service = await start();
    },
  };
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.concurrent('the clock is set back an hour: tasks before and after it succeed, ids are unique, and a restart finishes the rest', async (context) => {
  const { clock, receiver, client, postSearches, statusesOf, restart } = await given(context, 4);
  const before = await postSearches(6, 'before');
  // A message that is not received yet would wait for an hour, like everything that waits for a time of day.
  const states = () => Promise.all(before.map(async ({ id }) => (await client().read(id)).status));
  await expect.poll(states, { timeout: patienceMs }).not.toContain('awaiting');
  await clock.move(-3600);
  const after = await postSearches(6, 'after');

  const ids = [...before, ...after].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // The clock of the service did move.
  for (const { id } of after) expect(createdAt(id)).toBeLessThan(createdAt(before[0]?.id ?? 0) - 3000);
  expect(await statusesOf(ids)).toEqual(ids.map(() => 'success'));
  // A refused delivery is sent once more. Another delivery would come from a run that took a task for lost.
  expect(receiver.received.length).toBe(ids.length + 4);

  const late = await postSearches(6, 'late');
  await restart();
  expect(await statusesOf(late.map(({ id }) => id))).toEqual(late.map(() => 'success'));
});

test.concurrent('all processes are stopped for three minutes: nothing is lost, and no task is delivered twice', async (context) => {
  const { dataDir, clock, receiver, client, signal, postSearches, statusesOf } = await given(context);
  const tasks = await postSearches(12, 'stopped');
  await pause(1500);

  signal('SIGSTOP');
  // The time of day is three minutes later. Timers see only the seconds that pass here.
  clock.set(180);
  await pause(4000);
  signal('SIGCONT');

  const ids = tasks.map(({ id }) => id);
  expect(await statusesOf(ids)).toEqual(ids.map(() => 'success'));
  expect(receiver.received.map(({ body }) => JSON.parse(body).id).sort()).toEqual(ids.sort());
  const next = await client().searched({ keyword: 'after the stop' });
  expect({ status: next.status, isLater: createdAt(next.id) > createdAt(ids[0] ?? 0) + 170 }).toEqual({
    status: 'success',
    isLater: true,
  });
  expect(readFileSync(join(dataDir, 'service.log'), 'utf8')).not.toContain('dead_letter');
});

test.concurrent('the clock was two hours ahead and is set back: no search waits for turns of that time', async (context) => {
  const { dataDir, clock, client, restart } = await given(context, 0, { GOOGLE_RATE: '20' });
  const stepsBack = () =>
    readFileSync(join(dataDir, 'service.log'), 'utf8').split('"clock set back"').length - 1;
  await clock.move(7200);
  expect(await client().searched({ keyword: 'ahead' })).toMatchObject({ status: 'success' });

  // While the service runs.
  await clock.move(0);
  await expect.poll(stepsBack, { timeout: patienceMs }).toBe(1);
  expect(await client().searched({ keyword: 'set back' })).toMatchObject({ status: 'success' });

  await clock.move(7200);
  expect(await client().searched({ keyword: 'ahead again' })).toMatchObject({ status: 'success' });

  // Between two runs.
  await restart(() => clock.set(0));
  expect(await client().searched({ keyword: 'after the restart' })).toMatchObject({ status: 'success' });
  expect(stepsBack()).toBe(2);
});
