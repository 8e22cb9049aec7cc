/** The run of a live call: the machine runs at once, or the task is left to the queue or to the sweeper. */
import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { EngineName } from '../../../lib/model/engine.ts';
import type { HttpError } from '../../../lib/model/http-error.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { sfn } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { createLiveTask } = await import('../../../lib/crawl/awaited.ts');
const { createV1Tasks, createUnqueuedV1Task } = await import('../../../lib/crawl/create.ts');
const { runLive } = await import('../../../lib/crawl/run-live.ts');
const { restEnd } = await import('../../../lib/pace/engine-rest.ts');
const { wallsBeforeRest } = await import('../../../lib/pace/rest.ts');
const { listRows } = await import('../../../lib/store/lists.ts');
const { countWall, resetWalls, restLine } = await import('../../../lib/store/pace.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');
const { failTask, failures } = await import('../../../lib/task/fail.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

let machine = mockClient(SFNClient);
let users = 900;
afterAll(() => tables.stop());
beforeEach(() => {
  users += 1;
  machine.restore();
  machine = mockClient(SFNClient);
  tables.queue.resetHistory();
});
afterEach(() => {
  delete process.env.GOOGLE_RATE;
  delete process.env.BING_RATE;
  delete process.env.YAHOO_RATE;
  vi.restoreAllMocks();
  tables.queue.on(SendMessageCommand).resolves({});
  tables.queue.on(GetQueueAttributesCommand).resolves({ Attributes: { ApproximateNumberOfMessages: '0' } });
});

const request = v.parse(CrawlRequest, {
  keyword: 'tea',
  location_name: 'Canada',
  iso_code: 'CA',
  frequency: 0,
});
const givenRow = async (engine: EngineName = 'google', created = clock()) =>
  (await createUnqueuedV1Task(accountOf(users), engine, request, '', {}, created)).row;
const soon = (seconds = 20) => Date.now() / 1000 + seconds;

/** The messages that were sent one by one: deliveries, and tasks that are queued for later. */
const sent = () =>
  tables.queue.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => ({
    queue: input.QueueUrl,
    delay: input.DelaySeconds ?? 0,
    body: JSON.parse(input.MessageBody ?? ''),
  }));
const queuedIds = () =>
  tables.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries ?? [])
    .map(({ MessageBody }) => JSON.parse(MessageBody ?? '').id);
const starts = () =>
  machine.commandCalls(StartSyncExecutionCommand).map(({ args }) => JSON.parse(args[0].input.input ?? ''));
const ends = (output: object) =>
  machine.on(StartSyncExecutionCommand).resolves({ status: 'SUCCEEDED', output: JSON.stringify(output) });

test('runs the machine once, and queues the webhook only', async () => {
  ends({ outcome: 'final', delivery: 'msg_1', attempt: 1 });
  const row = await givenRow();

  expect(await runLive(row, soon())).toBe(true);

  expect(starts()).toMatchObject([{ user_id: row.user_id, id: row.id, outcome: 'claimed', attempt: 1 }]);
  expect(queuedIds()).toEqual([]);
  expect(sent()).toMatchObject([
    { queue: process.env.POSTBACK_QUEUE_URL, body: { id: row.id, delivery: 'msg_1', attempt: 1 } },
  ]);
});

test('a turn that comes too late sends the task to the queue, and the call returns at once', async () => {
  process.env.GOOGLE_RATE = '0.02';
  ends({ outcome: 'final', delivery: null });
  await runLive(await givenRow(), soon());
  const row = await givenRow();

  expect(await runLive(row, soon())).toBe(false);

  expect(starts()).toHaveLength(1);
  expect(sent()).toMatchObject([{ queue: process.env.CRAWL_QUEUE_URL, body: { id: row.id } }]);
  expect(sent()[0]?.body.not_before).toBeGreaterThan(soon(20));
});

describe('while the engine rests', () => {
  const live = () => createLiveTask(accountOf(users), 'yahoo', request, '');
  beforeEach(() => {
    process.env.YAHOO_RATE = '1';
  });
  afterEach(() => resetWalls('yahoo'));
  const rest = async (seconds: number) => {
    await countWall('yahoo', wallsBeforeRest);
    await restLine('yahoo', wallsBeforeRest, soon(seconds));
  };

  test('for longer than the call can wait, no task is made', async () => {
    await rest(300);

    const error: unknown = await live().catch((reason: unknown) => reason);

    expect(error).toMatchObject({
      statusCode: 503,
      detail: 'Yahoo blocks the searches of this service now, so no task was made',
    });
    expect(Number((error as HttpError).headers['Retry-After'])).toBeGreaterThan(250);
    const wanted = { api: 'v1', status: 'awaiting', before: undefined, after: 0, limit: 5 } as const;
    expect((await listRows(users, wanted, clock())).rows).toEqual([]);
    expect([queuedIds(), starts()]).toEqual([[], []]);
  });

  test('for a moment, the call waits', async () => {
    await rest(1);
    ends({ outcome: 'final', delivery: null });
    const row = await givenRow('yahoo');

    expect(await restEnd('yahoo')).toBeLessThan(soon(20));
    expect(await runLive(row, soon())).toBe(true);
  });

  test('an engine without a rate does not rest', async () => {
    await rest(300);
    process.env.YAHOO_RATE = '0';

    expect(await restEnd('yahoo')).toBe(0);
  });
});

test('a turn that comes in time is waited for', async () => {
  process.env.BING_RATE = '0.3';
  ends({ outcome: 'final', delivery: null });
  const rows = [await givenRow('bing'), await givenRow('bing')];

  for (const row of rows) expect(await runLive(row, soon())).toBe(true);

  expect(starts().map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(sent()).toEqual([]);
});

test('a machine that runs longer than the wait is left alone', async () => {
  let signal: AbortSignal | undefined;
  vi.spyOn(sfn, 'send').mockImplementation((_command: unknown, options: object = {}) => {
    signal =
      'abortSignal' in options && options.abortSignal instanceof AbortSignal
        ? options.abortSignal
        : undefined;
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  });
  const row = await givenRow();

  expect(await runLive(row, soon(0.2))).toBe(true);

  expect(signal?.aborted).toBe(true);
  expect([sent(), queuedIds()]).toEqual([[], []]);
  expect(await readRow(row.user_id, row.id)).toMatchObject({ status: 'crawling', attempt: 1 });
});

test('a throttled run is queued for later', async () => {
  const row = await givenRow();
  machine.on(StartSyncExecutionCommand).callsFake(async () => {
    return { status: 'SUCCEEDED', output: JSON.stringify({ outcome: 'throttled', met: 'wall' }) };
  });

  expect(await runLive(row, soon())).toBe(true);

  expect(sent()).toMatchObject([{ queue: process.env.CRAWL_QUEUE_URL, body: { id: row.id, throttled: 1 } }]);
  expect(await readRow(row.user_id, row.id)).toMatchObject({ status: 'crawling', lease_until: 0 });
});

test('a start that AWS refuses is queued for later', async () => {
  const refusal = Object.assign(new Error('no'), { name: 'ThrottlingException' });
  machine.on(StartSyncExecutionCommand).rejects(refusal);
  const row = await givenRow();

  expect(await runLive(row, soon())).toBe(true);

  expect(sent()).toMatchObject([{ queue: process.env.CRAWL_QUEUE_URL, body: { id: row.id, refused: 1 } }]);
});

test('a run on broken machinery is queued for when its lease has ended', async () => {
  machine.on(StartSyncExecutionCommand).resolves({ status: 'FAILED', error: 'Error', cause: 'broken' });
  const row = await givenRow();

  expect(await runLive(row, soon())).toBe(false);

  expect(sent()).toMatchObject([{ queue: process.env.CRAWL_QUEUE_URL, delay: 300, body: { id: row.id } }]);
  expect(await readRow(row.user_id, row.id)).toMatchObject({ status: 'crawling', attempt: 1 });
});

test('if the queue refuses the task too, the sweeper finds it', async () => {
  const refusal = Object.assign(new Error('no'), { name: 'ThrottlingException' });
  machine.on(StartSyncExecutionCommand).rejects(refusal);
  tables.queue.on(SendMessageCommand).rejects(refusal);
  const row = await givenRow();

  expect(await runLive(row, soon())).toBe(false);
  // The lease of the claim has ended by then.
  await sweepTasks(row.created_at + 600);

  expect(queuedIds()).toContain(row.id);
});

test('the sweeper queues a task whose call died before its run, also while other messages wait', async () => {
  tables.queue.on(GetQueueAttributesCommand).resolves({ Attributes: { ApproximateNumberOfMessages: '5' } });
  const now = clock() - 3600;
  const live = await givenRow('google', now);
  const [queued] = await createV1Tasks(accountOf(users), 'google', [request], '', now);
  tables.queue.resetHistory();

  await sweepTasks(now + 84);
  expect(queuedIds()).toEqual([]);
  await sweepTasks(now + 86);
  expect(queuedIds()).toEqual([live.id]);
  await sweepTasks(now + 901);
  expect(queuedIds()).toEqual([live.id]);
  expect(await readRow(users, queued?.id ?? 0, now)).toMatchObject({ status: 'awaiting' });
});

test('a repeated call with the same key returns the task of the first one, and starts nothing', async () => {
  const idempotency = { key: 'key', path: 'path', body: 'hash' };
  machine.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
    await failTask(JSON.parse(input), failures.late);
    return { status: 'SUCCEEDED', output: JSON.stringify({ outcome: 'final', delivery: null }) };
  });

  const first = await createLiveTask(accountOf(users), 'google', request, '', { idempotency });
  const again = await createLiveTask(accountOf(users), 'google', request, '', { idempotency });

  expect(first).toMatchObject({ status: 'error', error_message: failures.late.error_message });
  expect(again).toEqual(first);
  expect(starts()).toHaveLength(1);
});
