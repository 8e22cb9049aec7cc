/** The threads of functions: another one starts when the service is in use, and while all are busy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startThreads, type Threads } from '../../../infra/local/lambda/threads.ts';
import type { LocalFunction } from '../../../infra/local/local-function.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  availableParallelism: () => 2,
}));

const entry = 'test/integration/local/fixtures/busy.ts';
const busy: LocalFunction = {
  name: 'Busy',
  arn: 'arn:aws:lambda:us-east-1:000000000000:function:Busy',
  entry,
  timeoutMs: 60_000,
  memoryMb: 128,
  architecture: 'arm64',
  isReported: false,
  environment: {},
};

let threads: Threads | null = null;
const start = async (): Promise<Threads> => {
  threads = await startThreads([busy], () => undefined);
  return threads;
};
afterEach(async () => {
  vi.unstubAllEnvs();
  await threads?.stop();
});

/**
 * Keeps the threads busy: makes calls of 10 ms, eight at a time, until enough are answered.
 * Returns the threads that answered.
 */
const work = async ({ call, load }: Threads, isEnough: (answered: unknown[]) => boolean) => {
  const answered: unknown[] = [];
  const repeat = async () => {
    while (!isEnough(answered)) {
      answered.push(await call(entry, { ms: 10 }));
      load();
    }
  };
  await Promise.all(Array.from({ length: 8 }, repeat));
  return answered;
};

const numberOf = (answered: unknown[]): number => new Set(answered).size;

test('one thread starts, and no other one while it is idle', async () => {
  const started = await start();
  for (let n = 0; n < 60; n += 1) {
    await sleep(1);
    started.load();
  }

  expect(numberOf(await work(started, ({ length }) => length >= 10))).toBe(1);
});

test('while the thread is busy, a second one starts and shares the calls, and no third one', async () => {
  const started = await start();
  await work(started, (answered) => numberOf(answered) === 2);

  const later = await work(started, ({ length }) => length >= 200);

  expect(numberOf(later)).toBe(2);
});

test('a service in use has a second thread, although one would be enough', async () => {
  const { call } = await start();
  for (let n = 0; n < 400; n += 1) await call(entry, { ms: 0 });

  const answered = new Set();
  while (answered.size < 2) {
    for (const thread of await Promise.all([call(entry, { ms: 1 }), call(entry, { ms: 1 })]))
      answered.add(thread);
  }
  expect(answered.size).toBe(2);
});

test('with a crash point, there is one thread', async () => {
  vi.stubEnv('CRASH_AT', 'before-write-rows');

  expect(numberOf(await work(await start(), ({ length }) => length >= 200))).toBe(1);
});

describe('a call that does not let its thread do anything else', () => {
  test('fails at the time limit of its function, and the next call gets a new thread', async () => {
    threads = await startThreads([{ ...busy, timeoutMs: 300 }], () => undefined);
    const { call } = threads;
    const before = await call(entry, { ms: 1 });
    const blocked = call(entry, { ms: 600_000 });
    const other = call(entry, { ms: 1 });

    await expect(blocked).rejects.toMatchObject({
      name: 'Sandbox.Timedout',
      message: 'Task timed out after 0.3 seconds',
    });
    // The thread worked on both calls, and both ended with it.
    await expect(other).rejects.toMatchObject({ name: expect.stringMatching(/Timedout|ExitError/) });
    expect(await call(entry, { ms: 1 })).not.toBe(before);
  });

  test('is noticed while it lasts', async () => {
    threads = await startThreads([{ ...busy, timeoutMs: 600_000 }], () => undefined);
    const { call, silentMs } = threads;
    const blocked = call(entry, { ms: 600_000 }).catch(() => 'ended');

    await vi.waitUntil(() => silentMs() > 1500, { timeout: 60_000, interval: 50 });
    await threads.stop();
    expect(await blocked).toBe('ended');
  });

  test('a thread that answers is not silent for long', async () => {
    const { call, silentMs } = await start();
    for (let n = 0; n < 30; n += 1) {
      await call(entry, { ms: 50 });
      await sleep(10);
    }

    await vi.waitUntil(() => silentMs() === 0, { timeout: 60_000, interval: 5 });
  });
});
