/**
 * FetchPage ends a search of one page while something else happens to its task, between any two of its calls
 * to the stores. Each test holds the calls of the step one after another.
 */
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ParsedTask } from '../../../lib/crawl/parse-task.ts';
import type { Plan } from '../../../lib/crawl/plan-pages.ts';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { s3 } = await import('../../../lib/runtime/s3.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { fetchPage } = await import('../../../lib/crawl/fetch-page.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { rowKey } = await import('../../../lib/store/partitions.ts');
const { readResult } = await import('../../../lib/store/results.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');
const { failTask, failures } = await import('../../../lib/task/fail.ts');
const { redriveTask } = await import('../../../lib/task/redrive.ts');
const { isFinal } = await import('../../../lib/task/status.ts');
const { runSeconds } = await import('../../../lib/task/timing.ts');
afterAll(() => stores.stop());

/** What is to happen before the next calls, which are counted down to it. */
let meanwhile: { callsBefore: number; work: () => Promise<unknown> } | undefined;
const passing = async <T>(call: () => Promise<T>): Promise<T> => {
  const due = meanwhile;
  if (due) {
    due.callsBefore -= 1;
    if (due.callsBefore < 0) {
      meanwhile = undefined;
      await due.work();
    }
  }
  return call();
};
const holding = { step: 'initialize', name: 'holding' } as const;
dynamo.middlewareStack.add((next) => (args) => passing(() => next(args)), holding);
s3.middlewareStack.add((next) => (args) => passing(() => next(args)), holding);

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

let searches = 0;

/** What the machine does with a search of one page. */
const runMachine = async (run: Plan): Promise<ParsedTask> => {
  const fetched = await Promise.all(run.batch.map((page) => fetchPage(page)));
  return fetched[0]?.ended ?? parseTask(run, fetched);
};

const givenRun = async (): Promise<Plan> => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: `mountain lakes ${++searches}`,
    location_name: 'Canada',
    iso_code: 'CA',
    frequency: 0,
    postback_url: 'https://receiver.example/hook',
  });
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example');
  return planPages({ user_id: 1, id: task?.id ?? 0 });
};

/** Ends the task as dead, and starts it again. */
const redrive = async (run: TaskKey): Promise<void> => {
  await failTask(run, failures.broken);
  await redriveTask(run);
};

const remove = ({ user_id, id }: TaskKey) =>
  dynamo.send(new DeleteCommand({ TableName: process.env.TASKS_TABLE, Key: rowKey({ user_id, id }) }));

test.each<
  [what: string, work: (run: Plan) => Promise<unknown>, states: (string | undefined)[], runs: number[]]
>([
  ['the same step runs again', runMachine, ['success'], [1]],
  // If the page is recorded already, the later run reads it and keeps the number of the run before.
  ['a later run begins', (run) => planPages(run, clock() + runSeconds), ['crawling', 'success'], [1, 2]],
  [
    'a later run ends it',
    async (run) => runMachine(await planPages(run, clock() + runSeconds)),
    ['success'],
    [1, 2],
  ],
  ['it is redriven', redrive, ['awaiting'], [1]],
  [
    'it is redriven, and ends',
    async (run) => {
      await redrive(run);
      await runMachine(await planPages(run));
    },
    ['success'],
    [2],
  ],
  ['its deadline ends it', (run) => failTask(run, failures.late), ['error'], [1]],
  ['it is deleted', remove, [undefined], []],
])('%s: the task has one end at most, of one run', async (_, work, states, runs) => {
  const ends = new Set<number | undefined>();
  let held = 0;
  for (; ; held++) {
    const run = await givenRun();
    meanwhile = { callsBefore: held, work: () => work(run) };
    const { outcome, delivery } = await runMachine(run);
    if (meanwhile) break;

    const row = await readRow(run.user_id, run.id, 0);
    ends.add(row?.attempt);
    expect(states).toContain(row?.status);
    const isEnded = row !== undefined && isFinal(row.status);
    const deliveryOf = (attempt: number) => `msg_${run.user_id}_${run.id}_${attempt}`;
    expect(row?.delivery ?? null).toBe(isEnded ? deliveryOf(row.attempt) : null);
    const isOwn = isEnded && row.attempt === run.attempt;
    expect([outcome, delivery]).toEqual(isOwn ? ['final', row.delivery] : ['stale', null]);
    if (row?.status !== 'success') continue;
    expect(row.pages).toMatchObject([
      { status: 'parsed', html: expect.stringContaining(`/${row.attempt}-1.`) },
    ]);
    expect((await readResult(row))?.result.left.length).toBeGreaterThan(5);
  }
  meanwhile = undefined;

  expect(held).toBeGreaterThan(5);
  expect([...ends].filter(Boolean).sort()).toEqual(runs);
});
