/**
 * The handling of a crawl message: the machine runs, the message is queued again for later, or the task ends
 * with the reason.
 */
import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import { CrawlMessage, type FetchedPage, refusedPage } from '../../../lib/model/workflow.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { runCrawl } = await import('../../../lib/crawl/run-crawl.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { postpone } = await import('../../../lib/crawl/retry-later.ts');
const { takeTurn } = await import('../../../lib/crawl/take-turn.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { afterRead } = await import('../after-read.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

const machine = mockClient(SFNClient);
const hour = 3600;

// The clock does not move within a test. It begins at a whole second, because times with fractions do not
// subtract exactly.
const now = clock();
afterAll(async () => {
  vi.useRealTimers();
  await tables.stop();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 });
  machine.reset();
  tables.queue.resetHistory();
});
afterEach(() => {
  delete process.env.GOOGLE_RATE;
});

const account = accountOf(1);

const givenTask = async (fields: Record<string, unknown> = {}, created = now): Promise<CrawlMessage> => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: 'tea',
    location_name: 'Canada',
    iso_code: 'CA',
    frequency: 0,
    ...fields,
  });
  const [task] = await createV2Tasks(account, [request], 'https://here.example', created);
  tables.queue.resetHistory();
  return { user_id: 1, id: task?.id ?? 0, engine: 'google', pages: task?.pages.length ?? 0, throttled: 0 };
};

const throttledPage = (page: number): FetchedPage => ({
  page,
  outcome: 'throttled',
  verdict: 'soft_block',
  html: 'html/refusal',
  fetches: 1,
  has_next: false,
  fetched_at: now,
  reason: 'throttled: the engine asks to come back later',
});

/** Runs the real last step of the machine; the engine throttles every page. */
const mockThrottledRun = () =>
  machine.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
    const end = await parseTask(JSON.parse(input), [throttledPage(1)]);
    return { status: 'SUCCEEDED', output: JSON.stringify(end) };
  });

const mockRun = (answer: object) =>
  machine.on(StartSyncExecutionCommand).resolves({ status: 'SUCCEEDED', output: JSON.stringify(answer) });

const sent = () =>
  tables.queue.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => ({
    queue: input.QueueUrl,
    delay: input.DelaySeconds,
    body: JSON.parse(input.MessageBody ?? ''),
  }));

const rowOf = async ({ user_id, id }: CrawlMessage) => {
  const row = await readRow(user_id, id, 0);
  if (!row) throw new Error('The row is gone');
  return row;
};

test('a run whose turn is later waits with this turn, and starts at it', async () => {
  process.env.GOOGLE_RATE = '0.1';
  mockRun({ outcome: 'final', delivery: null });
  // Earlier than the other tests, so that their turns do not matter.
  const start = now - 48 * hour;
  vi.setSystemTime(start * 1000);
  const tasks = [await givenTask({}, start), await givenTask({}, start), await givenTask({}, start)];
  for (const message of tasks) await runCrawl(message, 1);
  const waiting = sent().map(({ body }) => v.parse(CrawlMessage, body));
  tables.queue.resetHistory();
  // Both come back at the time of the second run's turn.
  vi.setSystemTime((start + 10) * 1000);
  for (const message of waiting) await runCrawl({ ...message, not_before: start + 10 }, 1);
  const [again] = sent().map(({ body }) => v.parse(CrawlMessage, body));
  vi.setSystemTime((start + 20) * 1000);
  if (again) await runCrawl(again, 1);

  expect(waiting).toMatchObject([{ not_before: start + 10 }, { not_before: start + 20 }]);
  expect(again).toMatchObject({ id: tasks[2]?.id, not_before: start + 20, turn: start + 20 });
  expect(machine.commandCalls(StartSyncExecutionCommand)).toHaveLength(3);
});

test('a throttled run leaves its task crawling, and the run of a new message can claim it', async () => {
  const message = await givenTask();
  mockThrottledRun();

  await runCrawl(message, 4);

  const row = await rowOf(message);
  expect(row).toMatchObject({ status: 'crawling', attempt: 1, retries_count: 0, delivery: null });
  expect(row.due_at).toBeGreaterThan(now + 10);
  expect(sent()).toEqual([
    {
      queue: process.env.CRAWL_QUEUE_URL,
      delay: 10,
      body: { ...message, throttled: 1, not_before: now + 10 },
    },
  ]);
  // The time limit of a run, five minutes, has not passed.
  expect(await planPages(message)).toMatchObject({ outcome: 'claimed', attempt: 2 });
});

test('each consecutive throttled run doubles the wait, up to 15 minutes', async () => {
  mockThrottledRun();
  const delays = [];
  let message = await givenTask();
  for (let run = 0; run < 8; run++) {
    tables.queue.resetHistory();
    await runCrawl({ ...message, not_before: 0 }, 1);
    const [again] = sent();
    delays.push(again?.delay);
    message = v.parse(CrawlMessage, again?.body);
  }

  expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 900]);
  expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt: 8 });
});

test('a task whose pause would last beyond its deadline ends with the reason, and its webhook is queued', async () => {
  const created = now - 6 * hour + 600;
  const message = await givenTask({ postback_url: 'https://hooks.example/' }, created);
  mockThrottledRun();
  await runCrawl({ ...message, throttled: 6 }, 1);

  const row = await rowOf(message);
  expect(row).toMatchObject({
    status: 'error',
    error_message: expect.stringMatching(/^throttled: /),
    // The refusal is stored in place of the page.
    pages: [{ status: 'failed', retry_count: 0, html: 'html/refusal' }],
  });
  expect(sent()).toEqual([
    {
      queue: process.env.POSTBACK_QUEUE_URL,
      delay: undefined,
      body: { user_id: 1, id: message.id, delivery: row.delivery, attempt: 1 },
    },
  ]);
});

test('a task whose turn is later is queued again for that time, and the machine does not run', async () => {
  process.env.GOOGLE_RATE = '0.1';
  const [first, second, third] = [await givenTask(), await givenTask(), await givenTask()];
  mockRun({ outcome: 'final', delivery: null, met: 'open' });
  await runCrawl(first, 1);
  await runCrawl(second, 4);
  await runCrawl(third, 4);

  expect(machine.calls()).toHaveLength(1);
  expect(sent().map(({ body }) => body.id)).toEqual([second.id, third.id]);
  const [one, two] = sent().map(({ body }) => body.not_before);
  expect(two - one).toBeCloseTo(10, 6);
  for (const message of [second, third]) {
    const row = await rowOf(message);
    const postponed_to = Math.ceil(message === second ? one : two);
    expect(row).toMatchObject({ status: 'awaiting', attempt: 0, retries_count: 0, postponed_to });
  }
});

test('a copy of a throttled message that waits for its turn leaves the lease of the later run alone', async () => {
  mockThrottledRun();
  const message = await givenTask({}, now - 30 * hour);
  vi.setSystemTime((now - 30 * hour) * 1000);
  await runCrawl(message, 1);
  const later = { ...message, throttled: 1, not_before: now - 30 * hour };
  expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt: 1, lease_until: 0 });
  const claimed = await planPages(message, now - 30 * hour);
  expect(claimed).toMatchObject({ outcome: 'claimed', attempt: 2 });
  const { lease_until } = await rowOf(message);
  expect(lease_until).toBeGreaterThan(now - 30 * hour);

  // The engine is busy, so the copy of the message waits.
  process.env.GOOGLE_RATE = '0.01';
  await takeTurn(await givenTask({}, now - 30 * hour), now - 30 * hour);
  tables.queue.resetHistory();
  await runCrawl(later, 1);
  expect(sent()).toEqual([
    expect.objectContaining({ body: expect.objectContaining({ id: message.id, throttled: 1 }) }),
  ]);
  expect(await rowOf(message)).toMatchObject({ attempt: 2, lease_until });
});

test('a message that is received too early is queued for the rest of its wait, at most the maximum delay of the queue', async () => {
  const message = await givenTask();
  const at = now + 3000;
  await runCrawl({ ...message, not_before: at }, 1);

  expect(machine.calls()).toHaveLength(0);
  expect(sent()).toEqual([expect.objectContaining({ delay: 900, body: { ...message, not_before: at } })]);
});

test('the sweeper skips a postponed task before its time, and ends it with the reason at its deadline', async () => {
  const [waiting, lost] = [await givenTask(), await givenTask()];
  await postpone(waiting, now + 2 * hour);
  tables.queue.resetHistory();

  await sweepTasks(now + hour);
  expect(await rowOf(waiting)).toMatchObject({ status: 'awaiting', postponed_to: now + 2 * hour });
  expect((await rowOf(waiting)).due_at).toBe(now + 2 * hour + 900);

  await sweepTasks(now + 6 * hour + 1);
  expect(await rowOf(waiting)).toMatchObject({
    status: 'error',
    error_message: expect.stringMatching(/^throttled: /),
  });
  expect(await rowOf(lost)).toMatchObject({
    status: 'error',
    error_message: expect.stringMatching(/^timeout: /),
  });
});

test('a task that only needs parsing, or is final, takes no turn at the engine', async () => {
  process.env.GOOGLE_RATE = '0.001';
  const [first, taken, done] = [await givenTask(), await givenTask(), await givenTask()];
  const far = now + 20 * hour;
  await takeTurn(first, far);
  const { attempt } = await planPages(done);
  await parseTask({ ...done, attempt }, [{ ...throttledPage(1), outcome: 'blocked' }]);

  expect((await rowOf(done)).status).toBe('error');
  expect(await takeTurn(done, far)).toMatchObject({ outcome: 'go', at: far });
  expect((await takeTurn(taken, far)).outcome).toBe('wait');
});

test('a run whose later pages are throttled gives no result of the other pages', async () => {
  const message = await givenTask({ depth: 30 });
  const { attempt } = await planPages(message);
  const good = { ...throttledPage(1), outcome: 'fetched', verdict: 'results', has_next: true } as const;
  const blocked = { ...throttledPage(2), outcome: 'blocked', verdict: 'captcha' } as const;
  const run = { user_id: 1, id: message.id, attempt };

  expect(await parseTask(run, [good, throttledPage(2), throttledPage(3)])).toMatchObject({
    outcome: 'throttled',
    met: 'open',
  });
  expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt });
  // A wait does not help here: the result ends before the throttled page.
  await expect(parseTask(run, [blocked, throttledPage(3)])).resolves.toMatchObject({ outcome: 'final' });
});

describe('back-pressure', () => {
  const throttling = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
  const fault = Object.assign(new Error('oops'), { $metadata: { httpStatusCode: 500 } });

  /**
   * Checks that only a later copy of the message is queued, with these fields, for a time between two numbers
   * of seconds from now.
   */
  const expectLater = (message: CrawlMessage, fields: Partial<CrawlMessage>, from: number, to: number) => {
    const [copy, ...others] = sent();
    const { not_before, ...body } = copy?.body ?? {};
    expect(others).toEqual([]);
    expect(copy?.queue).toBe(process.env.CRAWL_QUEUE_URL);
    expect(body).toEqual({ ...message, ...fields });
    expect(not_before).toBeGreaterThanOrEqual(now + from);
    expect(not_before).toBeLessThanOrEqual(now + to);
    expect(copy?.delay).toBe(Math.floor(not_before - now));
  };

  test('a throttled start postpones the task at the last receive too, and does not end it', async () => {
    const message = await givenTask();
    machine.on(StartSyncExecutionCommand).rejects(throttling);

    await runCrawl({ ...message, refused: 2 }, 5);

    expect(machine.calls()).toHaveLength(1);
    expectLater(message, { refused: 3, ended: 1, unstarted: 1 }, 10, 20);
    expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt: 1 });
  });

  test('the copy of a message whose start was throttled claims the task at once, and the throttled start is no retry', async () => {
    const message = await givenTask();
    machine.on(StartSyncExecutionCommand).rejects(throttling);
    await runCrawl(message, 1);
    const [first] = sent();
    tables.queue.resetHistory();
    await runCrawl({ ...v.parse(CrawlMessage, first?.body), not_before: now }, 1);
    const [second] = sent();
    mockThrottledRun();

    await runCrawl({ ...v.parse(CrawlMessage, second?.body), not_before: now }, 1);

    expect(second?.body).toMatchObject({ refused: 2, ended: 2, unstarted: 2 });
    expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt: 3, retries_count: 0 });
    expect(await planPages(message, now, undefined, 2)).toMatchObject({ outcome: 'claimed', attempt: 4 });
    expect(await rowOf(message)).toMatchObject({ retries_count: 1 });
  });

  test('a refused claim postpones the task, and the machine does not run', async () => {
    const message = await givenTask();
    const refusing = () => async () => {
      throw throttling;
    };
    afterRead('row', async () =>
      dynamo.middlewareStack.add(refusing, { step: 'initialize', name: 'refusing' }),
    );
    onTestFinished(() => {
      dynamo.middlewareStack.remove('refusing');
    });

    await runCrawl(message, 5);

    expect(machine.calls()).toHaveLength(0);
    expectLater(message, { refused: 1 }, 2.5, 5);
  });

  test('a task whose pages are fetched already, or that is final, needs no run of its own to go on', async () => {
    const message = await givenTask({ postback_url: 'https://hooks.example/' });
    const { attempt } = await planPages(message);
    const { delivery } = await parseTask({ ...message, attempt }, [
      { ...throttledPage(1), outcome: 'blocked' },
    ]);

    await runCrawl(message, 1);

    expect(machine.calls()).toHaveLength(0);
    expect(sent().map(({ body }) => body.delivery)).toEqual([delivery]);
  });

  test('a start that fails with 500 may run: the task waits until the lease of that run has ended', async () => {
    const message = await givenTask();
    machine.on(StartSyncExecutionCommand).rejects(fault);

    await runCrawl(message, 5);

    expectLater(message, { refused: 1 }, 302.5, 305);
  });

  test('the SDK does not repeat a start', async () => {
    const { sfn } = await import('../../../lib/runtime/aws.ts');

    expect(await sfn.config.maxAttempts()).toBe(1);
  });

  test.each([
    ['Lambda.TooManyRequestsException', 'Rate Exceeded.'],
    ['Lambda.ClientExecutionTimeoutException', 'The call has timed out.'],
    ['Broken', '{"Error":"Lambda.ServiceException","Cause":"Service error"}'],
  ])(
    'a run that Lambda refused (%s) postpones the task until the lease of that run has ended',
    async (error, cause) => {
      const message = await givenTask();
      machine.on(StartSyncExecutionCommand).resolves({ status: 'FAILED', error, cause });

      await runCrawl(message, 5);

      expectLater(message, { refused: 1 }, 302.5, 305);
      expect(await rowOf(message)).toMatchObject({ status: 'crawling', lease_until: now + 300 });
    },
  );

  test('a run whose page met back-pressure gives up its lease when the copy of the message is received', async () => {
    const message = await givenTask({ depth: 20 });
    machine.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
      const plan = JSON.parse(input);
      const page = refusedPage({ ...plan, page: 1 });
      return { status: 'SUCCEEDED', output: JSON.stringify(await parseTask(plan, [page])) };
    });
    // The run has used its turn, so the copy has none.
    await runCrawl({ ...message, turn: now }, 5);

    expectLater(message, { refused: 1, ended: 1 }, 2.5, 5);
    expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt: 1, pages: [{ html: '' }, {}] });
    expect(await planPages(message)).toMatchObject({ outcome: 'stale' });

    const [copy] = sent();
    await runCrawl({ ...v.parse(CrawlMessage, copy?.body), not_before: now }, 1);
    expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt: 2 });
  });

  test('a copy that is received while another run holds the task leaves the lease of that run alone', async () => {
    const message = await givenTask();
    await planPages(message);
    await planPages(message, now + 301);

    await runCrawl({ ...message, ended: 1 }, 1);

    expect(machine.calls()).toHaveLength(0);
    expect(await rowOf(message)).toMatchObject({ attempt: 2, lease_until: now + 601 });
    expect(sent()).toEqual([]);
  });

  test('a webhook that the queue refuses is queued by the copy of the message', async () => {
    const message = await givenTask({ postback_url: 'https://hooks.example/' });
    const { attempt } = await planPages(message);
    const end = await parseTask({ ...message, attempt }, [{ ...throttledPage(1), outcome: 'blocked' }]);
    mockRun(end);
    let isRefusing = true;
    tables.queue.on(SendMessageCommand).callsFake(async () => {
      if (!isRefusing) return {};
      isRefusing = false;
      throw throttling;
    });
    onTestFinished(() => {
      tables.queue.on(SendMessageCommand).resolves({});
    });

    await runCrawl(message, 5);

    const [refused, copy] = sent();
    expect([refused?.body.delivery, copy?.body]).toEqual([
      end.delivery,
      expect.objectContaining({ refused: 1 }),
    ]);
    tables.queue.resetHistory();
    await runCrawl({ ...message, refused: 1, ended: attempt }, 1);
    expect(sent().map(({ body }) => body.delivery)).toEqual([end.delivery]);
    expect((await rowOf(message)).status).toBe('error');
  });

  test('if the queue refuses the copy too, the message fails, and the task does not end, even at the last receive', async () => {
    const message = await givenTask();
    machine.on(StartSyncExecutionCommand).rejects(throttling);
    tables.queue.on(SendMessageCommand).rejects(throttling);
    onTestFinished(() => {
      tables.queue.on(SendMessageCommand).resolves({});
    });

    await expect(runCrawl(message, 5)).rejects.toThrow('slow down');

    expect((await rowOf(message)).status).toBe('crawling');
  });

  test('two minutes of refused starts cost a few later copies, each of them received once, and then the task runs', async () => {
    const given = await givenTask();
    machine.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
      if (Date.now() < (now + 120) * 1000) throw throttling;
      const end = await parseTask(JSON.parse(input), [{ ...throttledPage(1), outcome: 'blocked' }]);
      return { status: 'SUCCEEDED', output: JSON.stringify(end) };
    });

    let message = given;
    for (;;) {
      tables.queue.resetHistory();
      await runCrawl(message, 1);
      const [copy, ...others] = sent();
      expect(others).toEqual([]);
      if (!copy) break;
      message = v.parse(CrawlMessage, copy.body);
      vi.setSystemTime(Math.ceil(message.not_before ?? 0) * 1000);
    }

    // Pauses of at most 5, 10, 20, 40 and 60 s, or half of that.
    expect(message.refused).toBeGreaterThanOrEqual(5);
    expect(message.refused).toBeLessThanOrEqual(8);
    expect(Date.now() / 1000).toBeLessThanOrEqual(now + 181);
    expect(await rowOf(given)).toMatchObject({ status: 'error', retries_count: 0 });
  });

  test('near its deadline the task is left to the sweeper, which ends it as late', async () => {
    const message = await givenTask({}, now - 6 * hour + 2);
    machine.on(StartSyncExecutionCommand).rejects(throttling);

    await runCrawl(message, 1);

    expect(sent()).toEqual([]);
    await sweepTasks(now + 2);
    expect(await rowOf(message)).toMatchObject({
      status: 'error',
      error_message: expect.stringMatching(/^timeout: /),
    });
  });

  test('an old task is not due for the sweeper before its copy is received', async () => {
    const message = await givenTask({}, now - hour);
    machine.on(StartSyncExecutionCommand).rejects(throttling);

    await runCrawl(message, 1);

    expect((await rowOf(message)).due_at).toBeGreaterThan(now + 900);
  });
});

test('a task moves to dead_letter if the machine fails at the last receive, and not before', async () => {
  const message = await givenTask();
  machine.on(StartSyncExecutionCommand).resolves({ status: 'FAILED', error: 'Broken' });
  await expect(runCrawl(message, 3)).rejects.toThrow('FAILED');
  expect((await rowOf(message)).status).toBe('crawling');

  // SQS delivers the message again when its visibility timeout ends, which is longer than the lease of the
  // run.
  vi.setSystemTime((now + 360) * 1000);
  await expect(runCrawl(message, 5)).rejects.toThrow('FAILED');
  expect(await rowOf(message)).toMatchObject({
    status: 'dead_letter',
    error_message: expect.stringMatching(/^machinery: /),
  });
});
