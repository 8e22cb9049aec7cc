/**
 * A request with an `Idempotency-Key` that dies at any point is completed by the next one: nothing is lost,
 * and nothing is created twice.
 */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import { HttpError } from '../../../lib/model/http-error.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { createV2Batch } = await import('../../../lib/crawl/create-batch.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { armCrash } = await import('../../../lib/runtime/crash.ts');
const { listRows } = await import('../../../lib/store/lists.ts');
const { acceptSeconds } = await import('../../../lib/task/timing.ts');
const { failTask, failures } = await import('../../../lib/task/fail.ts');

const now = clock();
let users = 500;
let isDead = false;

afterAll(() => tables.stop());
beforeEach(() => {
  users += 1;
  isDead = false;
  tables.queue.resetHistory();
  // The point of a crash ends the process. Here it ends the request: no later call of it reaches a store.
  vi.spyOn(process, 'kill').mockImplementation(() => {
    isDead = true;
    throw new Error('killed');
  });
  const send = dynamo.send.bind(dynamo) as (command: unknown) => Promise<unknown>;
  vi.spyOn(dynamo, 'send').mockImplementation((command: unknown) =>
    isDead ? Promise.reject(new Error('dead')) : send(command),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
});

const requests = Array.from({ length: 30 }, (_, n) =>
  v.parse(GoogleCrawlRequest, { keyword: `k${n}`, location_name: 'Canada', iso_code: 'CA' }),
);
const idempotency = { key: 'key', path: '/api/v2/serp/crawl/google/batch', body: 'hash' };

const createAt = (time: number, count = requests.length): Promise<number[]> =>
  createV2Tasks(accountOf(users), requests.slice(0, count), '', time, { idempotency }).then((tasks) =>
    tasks.map(({ id }) => id),
  );
const rowsOf = async () => (await listRows(users, { limit: 1000 }, now)).rows;
const queued = () =>
  tables.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries ?? [])
    .map(({ MessageBody }) => JSON.parse(MessageBody ?? '').id as number);
const statusOf = (attempt: Promise<unknown>): Promise<number> =>
  attempt.then(
    () => 200,
    (error: unknown) => (error instanceof HttpError ? error.statusCode : 0),
  );

const points = [
  'reserve-numbers:1',
  'write-request:1',
  'write-rows:1',
  'write-rows:7',
  'write-rows:30',
  'queue-tasks:1',
  'queue-tasks:3',
  'write-request:2',
].flatMap((point) => [`before-${point}`, `after-${point}`]);

test.each(points)('killed %s, the next request creates the same tasks, once', async (point) => {
  armCrash(point);
  await expect(createAt(now)).rejects.toThrow();
  isDead = false;
  const written = (await rowsOf()).map(({ id }) => id);

  // While the lease lasts, the first request may still be at work.
  const isRecorded = ![
    'before-reserve-numbers:1',
    'after-reserve-numbers:1',
    'before-write-request:1',
  ].includes(point);
  const isFinished = point === 'after-write-request:2';
  if (isRecorded && !isFinished) expect(await statusOf(createAt(now + acceptSeconds - 1))).toBe(409);
  const ids = await createAt(now + acceptSeconds);

  expect(new Set(ids).size).toBe(30);
  expect(ids).toEqual(expect.arrayContaining(written));
  const rows = await rowsOf();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(rows.map(({ keyword }) => keyword).toSorted()).toEqual(
    requests.map(({ keyword }) => keyword).toSorted(),
  );
  expect(new Set(queued())).toEqual(new Set(ids));
  expect(await createAt(now + acceptSeconds + 1)).toEqual(ids);
  expect(await rowsOf()).toHaveLength(30);
});

test('a task that ended before the request was completed is not started again', async () => {
  armCrash('after-queue-tasks:1');
  await expect(createAt(now, 1)).rejects.toThrow();
  isDead = false;
  const [row] = await rowsOf();
  if (!row) throw new Error('There is no row');
  await failTask(row, failures.broken, now);

  const [id] = await createAt(now + acceptSeconds, 1);

  expect(id).toBe(row.id);
  expect((await rowsOf()).map(({ status }) => status)).toEqual(['dead_letter']);
});

test('of two requests that continue one that died, one gets 409', async () => {
  armCrash('after-write-rows:7');
  await expect(createAt(now)).rejects.toThrow();
  isDead = false;

  const statuses = await Promise.all([1, 2, 3].map(() => statusOf(createAt(now + acceptSeconds))));

  expect(statuses.toSorted()).toEqual([200, 409, 409]);
  expect(await rowsOf()).toHaveLength(30);
});

describe('a request that a service refuses', () => {
  afterEach(() => {
    tables.queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  });

  test('is completed by the next one at once', async () => {
    const refusal = Object.assign(new Error('no'), { name: 'ThrottlingException' });
    tables.queue.on(SendMessageBatchCommand).rejectsOnce(refusal).resolves({ Successful: [], Failed: [] });
    await expect(createAt(now, 5)).rejects.toThrow('no');
    const written = (await rowsOf()).map(({ id }) => id);

    const ids = await createAt(now + 1, 5);

    expect(ids.toSorted()).toEqual(written.toSorted());
    expect(queued().slice(-5)).toEqual(ids);
  });
});

test('a repeated batch does not count its pages again', async () => {
  const account = { ...accountOf(users), rate_limit: 1 };
  const batch = () => createV2Batch(account, requests, '', { idempotency });

  const first = await batch();

  expect(await batch()).toEqual(first);
  expect(
    await statusOf(createV2Batch(account, requests, '', { idempotency: { ...idempotency, key: 'other' } })),
  ).toBe(429);
});
