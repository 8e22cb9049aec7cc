/** What becomes of a crawl message: run now, queued anew for later, or its task ended with the reason. */
import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import { CrawlMessage, type FetchedPage } from '../../../lib/model/workflow.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores take their names from the environment as they are imported.
const tables = await startTables();
const { runCrawl } = await import('../../../lib/crawl/run-crawl.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { postpone } = await import('../../../lib/crawl/retry-later.ts');
const { requestTurn } = await import('../../../lib/crawl/throttle.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');
const { createTasks } = await import('../../../lib/crawl/create.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

const machine = mockClient(SFNClient);
const hour = 3600;

afterAll(() => tables.stop());
beforeEach(() => {
  machine.reset();
  tables.queue.resetHistory();
});
afterEach(() => {
  delete process.env.GOOGLE_RATE;
});

const account = accountOf(1);

const givenTask = async (fields: Record<string, unknown> = {}, now = clock()): Promise<CrawlMessage> => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: 'tea',
    location_name: 'Canada',
    iso_code: 'CA',
    frequency: 0,
    ...fields,
  });
  const [task] = await createTasks(account, [request], 'https://here.example', now);
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
  fetched_at: clock(),
  reason: 'throttled: the engine asks to come back later',
});

/** The machine, by its own steps: every page of the run is put off. */
const playThrottledRun = () =>
  machine.on(StartSyncExecutionCommand).callsFake(async ({ input }) => {
    const key = JSON.parse(input);
    const { attempt } = await planPages(key);
    return {
      status: 'SUCCEEDED',
      output: JSON.stringify(await parseTask({ ...key, attempt }, [throttledPage(1)])),
    };
  });

const playRun = (answer: object) =>
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

test('a throttled run leaves its task crawling, gives up the lease, and comes again by a fresh message', async () => {
  const message = await givenTask();
  playThrottledRun();

  const began = Date.now() / 1000;
  await runCrawl(message, 4);

  const row = await rowOf(message);
  expect(row).toMatchObject({
    status: 'crawling',
    attempt: 1,
    lease_until: 0,
    retries_count: 0,
    delivery: null,
  });
  expect(row.due_at).toBeGreaterThan(began + 10);
  expect(sent()).toEqual([
    {
      queue: process.env.CRAWL_QUEUE_URL,
      delay: expect.toSatisfy((seconds: number) => seconds === 9 || seconds === 10),
      body: { ...message, throttled: 1, not_before: expect.toSatisfy((at: number) => at > began + 9.9) },
    },
  ]);
});

test('each run in a row that is throttled waits twice as long, a quarter of an hour at most', async () => {
  playThrottledRun();
  const delays = [];
  let message = await givenTask();
  for (let run = 0; run < 8; run++) {
    tables.queue.resetHistory();
    await runCrawl({ ...message, not_before: 0 }, 1);
    const [again] = sent();
    delays.push(Math.ceil(again?.delay ?? 0));
    message = v.parse(CrawlMessage, again?.body);
  }

  expect(delays.map((delay) => Math.round(delay / 10) * 10)).toEqual([10, 20, 40, 80, 160, 320, 640, 900]);
  expect(await rowOf(message)).toMatchObject({ status: 'crawling', attempt: 8 });
});

test('a task whose pause would pass its deadline ends, with the reason, and tells so', async () => {
  const created = clock() - 6 * hour + 600;
  const message = await givenTask({ postback_url: 'https://hooks.example/' }, created);
  playThrottledRun();
  await runCrawl({ ...message, throttled: 6 }, 1);

  const row = await rowOf(message);
  expect(row).toMatchObject({
    status: 'error',
    error_message: expect.stringMatching(/^throttled: /),
    // What came in the place of the page is the evidence.
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

test('who has no turn yet is queued again for it, untried, and the machine is not run', async () => {
  process.env.GOOGLE_RATE = '0.1';
  const [first, second, third] = [await givenTask(), await givenTask(), await givenTask()];
  playRun({ outcome: 'final', delivery: null, met: 'open' });
  await runCrawl(first, 1);
  await runCrawl(second, 4);
  await runCrawl(third, 4);

  expect(machine.calls()).toHaveLength(1);
  expect(sent().map(({ body }) => body.id)).toEqual([second.id, third.id]);
  const [one, two] = sent().map(({ body }) => body.not_before);
  expect(two - one).toBeCloseTo(10, 1);
  for (const message of [second, third]) {
    const row = await rowOf(message);
    expect(row).toMatchObject({ status: 'awaiting', attempt: 0, retries_count: 0 });
    // So short a wait costs the row no write.
    expect(row.postponed_to).toBeUndefined();
  }
});

test('a message that comes before its time is queued for the rest of it, at most what the queue holds back', async () => {
  const message = await givenTask();
  const at = Date.now() / 1000 + 3000;
  await runCrawl({ ...message, not_before: at }, 1);

  expect(machine.calls()).toHaveLength(0);
  expect(sent()).toEqual([expect.objectContaining({ delay: 900, body: { ...message, not_before: at } })]);
});

test('the sweeper lets those who wait for long wait, and ends them at the deadline with the reason', async () => {
  const now = clock();
  const [waiting, lost] = [await givenTask({}, now), await givenTask({}, now)];
  await postpone(waiting, now + 2 * hour, now);
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

test('a task that only has to be parsed, or is done, does not ask the engine', async () => {
  process.env.GOOGLE_RATE = '0.001';
  const [first, taken, done] = [await givenTask(), await givenTask(), await givenTask()];
  const far = clock() + 20 * hour;
  await requestTurn(first, far);
  const { attempt } = await planPages(done);
  await parseTask({ ...done, attempt }, [{ ...throttledPage(1), outcome: 'blocked' }]);

  expect((await rowOf(done)).status).toBe('error');
  expect(await requestTurn(done, far)).toMatchObject({ outcome: 'go', at: far });
  expect((await requestTurn(taken, far)).outcome).toBe('wait');
});

test('a run in which only later pages are throttled is not made a result of the others', async () => {
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
  // Waiting would not help: the result ends before the throttled page.
  await expect(parseTask(run, [blocked, throttledPage(3)])).resolves.toMatchObject({ outcome: 'final' });
});

test('broken machinery buries the task at the last receive, not before', async () => {
  const message = await givenTask();
  machine.on(StartSyncExecutionCommand).resolves({ status: 'FAILED', error: 'Broken' });
  await expect(runCrawl(message, 3)).rejects.toThrow('FAILED');
  expect((await rowOf(message)).status).toBe('awaiting');

  await expect(runCrawl(message, 4)).rejects.toThrow('FAILED');
  expect(await rowOf(message)).toMatchObject({
    status: 'dead_letter',
    error_message: expect.stringMatching(/^machinery: /),
  });
});
