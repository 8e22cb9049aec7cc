/** The rows of new tasks and batches, and what a waiting task says about itself. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { withScope } from '../../../lib/runtime/scope.ts';
import { newBatch } from '../../../lib/task/new-batch.ts';
import { newTask } from '../../../lib/task/new-task.ts';
import { progressOf } from '../../../lib/task/progress.ts';
import { maxWaitSeconds, unstartedSeconds } from '../../../lib/task/timing.ts';
import { keywordRow, now, searchRow } from './rows.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a new task', () => {
  const make = (unclaimed?: number) =>
    newTask({ userId: 1, id: 35, baseUrl: 'https://here.example', ...(unclaimed && { unclaimed }) }, now);

  test('waits for its first run', () => {
    expect(withScope({ trace: 'Root=1' }, () => make())).toStrictEqual({
      version: 5,
      user_id: 1,
      id: 35,
      sharding: 0,
      status: 'awaiting',
      postback_retries_count: 0,
      retries_count: 0,
      created_on: '2026-09-21',
      created_at: now,
      succeed_at: 0,
      ttl: now + 86_400,
      error_message: null,
      crawled_at: 0,
      attempt: 0,
      lease_until: 0,
      trace: 'Root=1',
      base_url: 'https://here.example',
      delivery: null,
      delivery_attempt: 0,
      unfinished: 'task#35',
      due_at: now + 900,
    });
  });

  test('is due earlier if the caller says so, and at its deadline at the latest', () => {
    expect(make(85)).toMatchObject({ due_at: now + 85 });
    vi.stubEnv('TASK_DEADLINE', '120');
    expect(make()).toMatchObject({ due_at: now + 120 });
  });
});

test('a live task is not run by the sweeper while its call may still run it', () => {
  expect(unstartedSeconds).toBeGreaterThan(maxWaitSeconds);
});

describe('a new batch', () => {
  const rows = [searchRow({ id: 36 }), searchRow({ id: 37 })];

  test('with a webhook is in the index of unfinished work, and waits for its last task', () => {
    expect(newBatch(rows, 35, { postbackUrl: 'https://receiver.example/' })).toStrictEqual({
      kind: 'batch',
      version: 1,
      user_id: 1,
      id: 35,
      tasks: 2,
      waits_for: 37,
      created_at: now,
      ttl: now + 86_400,
      base_url: 'https://here.example',
      postback_url: 'https://receiver.example/',
      postback_retries_count: 0,
      delivery: null,
      delivery_attempt: 0,
      unfinished: 'task#35',
      due_at: now + 60,
    });
  });

  test('without a webhook is not in the index', () => {
    const row = newBatch(rows, 35, { postbackUrl: null });

    expect(row).toMatchObject({ postback_url: null });
    expect(row).not.toHaveProperty('unfinished');
    expect(row).not.toHaveProperty('due_at');
  });

  test('has the version of the API and the trace of its tasks', () => {
    const first = searchRow({ api: 'v1', trace: 'Root=1' });

    expect(newBatch([first], 35, { postbackUrl: null })).toMatchObject({ api: 'v1', trace: 'Root=1' });
    expect(newBatch([keywordRow({ api: 'v1' } as never)], 35, { postbackUrl: null })).not.toHaveProperty(
      'api',
    );
  });

  test('has a task', () => {
    expect(newBatch([], 35, { postbackUrl: null })).toBeUndefined();
  });
});

describe('the progress of a task', () => {
  const waiting = { status: 'awaiting', postponed_to: now + 60, error_message: null } as const;

  test.each(['engine', 'source'] as const)('that was postponed names the %s and the time', (waitsFor) => {
    expect(progressOf(waiting, waitsFor, now)).toEqual({
      error_message: `throttled: the task waits for the ${waitsFor} until 2026-09-21T14:14:20Z`,
      waiting_until: now + 60,
    });
  });

  test.each<[string, object]>([
    ['is final', { status: 'error', error_message: 'captcha: blocked' }],
    ['never waited', { postponed_to: undefined }],
    ['has waited long enough', { postponed_to: now }],
  ])('that %s is its own message', (_, fields) => {
    const row = { ...waiting, ...fields };

    expect(progressOf(row, 'engine', now)).toEqual({
      error_message: row.error_message,
      waiting_until: null,
    });
  });
});
