/** The changes that every final write of a task makes. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { finalChanges, logEnd, waitingDelivery } from '../../../lib/task/final-write.ts';
import { keywordRow, now, readLog } from './rows.ts';

const row = { user_id: 1, id: 42, attempt: 3, postback_url: 'https://receiver.example/' } as SerpRow;

test('a task with a webhook is in the index of unfinished tasks, even if it had left the index', () => {
  expect(finalChanges(row, { status: 'success' }, now)).toStrictEqual({
    status: 'success',
    succeed_at: now,
    delivery: 'msg_1_42_3',
    delivery_state: 'pending',
    delivery_attempt: 0,
    resends: undefined,
    attempt_log: undefined,
    queued_at: undefined,
    waits_since: undefined,
    unfinished: 'delivery#42',
    due_at: now + 25,
  });
});

test('the end of a failed task with a webhook is recorded: nothing else says since when it waits', () => {
  expect(finalChanges(row, { status: 'error', error_message: 'captcha: …' }, now)).toMatchObject({
    delivery_state: 'pending',
    succeed_at: 0,
    waits_since: now,
  });
});

test.each([null, ''])('a task without a webhook leaves the index: %j', (postback_url) => {
  const changes = finalChanges(
    { ...row, postback_url },
    { status: 'error', error_message: 'captcha: …' },
    now,
  );

  expect(changes).toEqual({
    status: 'error',
    error_message: 'captcha: …',
    failed: '1#error#10',
    succeed_at: 0,
    delivery: null,
    unfinished: undefined,
    due_at: undefined,
  });
});

test.each([
  [{ status: 'success' as const }, { status: 'success', TaskSucceeded: 1 }],
  [
    { status: 'error' as const, error_message: 'captcha: every attempt: was blocked' },
    { status: 'error', reason: 'captcha', TaskSucceeded: 0 },
  ],
])('the log line of %j', (end, expected) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const ended = {
    ...row,
    kind: 'serp',
    engine: 'google',
    reused: true,
    pages: [{}, {}],
    created_at: now - 7,
  } as unknown as SerpRow;

  logEnd(ended, end, now);

  const line = JSON.parse(String(write.mock.calls[0]?.[0]));
  expect(line).toMatchObject({ engine: 'google', reused: true, pages: 2, TaskSeconds: 7, ...expected });
  expect('reason' in line).toBe('reason' in expected);
});

test.each([
  [{ status: 'success' as const }, { status: 'success', KeywordTaskSucceeded: 1 }],
  [
    { status: 'error' as const, error_message: 'refused: no' },
    { status: 'error', reason: 'refused', KeywordTaskSucceeded: 0 },
  ],
])('the log line of keyword data: %j', (end, expected) => {
  const logged = readLog();

  logEnd(keywordRow(), end, now);

  expect(logged('task ended')).toMatchObject([{ kind: 'keyword', ...expected }]);
  expect(logged('task ended')[0]).not.toHaveProperty('TaskSucceeded');
});

test('the log line of a search has the metrics of its result', () => {
  const logged = readLog();

  logEnd(
    { ...row, kind: 'serp', pages: [], created_at: now } as unknown as SerpRow,
    { status: 'success' },
    now,
    {
      ResultUnclaimed: 1,
    },
  );

  expect(logged('task ended')).toMatchObject([{ ResultUnclaimed: 1 }]);
});

test.each([
  ['a minute after its last page', { crawled_at: now - 60 }, 'success', 1],
  ['later', { crawled_at: now - 61 }, 'success', 0],
  ['from a stored result', { crawled_at: now - 3600, reused: true }, 'success', undefined],
  ['without a page', { crawled_at: 0 }, 'success', undefined],
  ['in error, a minute after its last page', { crawled_at: now - 60 }, 'error', 1],
  ['in error, later', { crawled_at: now - 3600 }, 'error', 0],
  ['in error, without a page', { crawled_at: 0 }, 'error', undefined],
  ['as a dead letter', { crawled_at: now - 1 }, 'dead_letter', 0],
  ['as a dead letter, without a page', { crawled_at: 0 }, 'dead_letter', 0],
] as const)('a search that ends %s: %j', (_, changes, status, expected) => {
  const logged = readLog();
  const ended = { ...row, kind: 'serp', pages: [], created_at: now, reused: false, ...changes };

  const end = status === 'success' ? { status } : { status, error_message: 'timeout: late' };
  logEnd(ended as unknown as SerpRow, end, now);

  const [line] = logged('task ended');
  expect(line?.EndedInTime).toBe(expected);
  // CloudWatch takes one set of dimensions for each directive.
  expect(line).toMatchObject({
    _aws: {
      CloudWatchMetrics: [
        { Dimensions: [['engine']] },
        ...(expected === undefined ? [] : [{ Dimensions: [[]], Metrics: [{ Name: 'EndedInTime' }] }]),
      ],
    },
  });
});

test.each([
  ['pending', 0, 'msg_1_42_3'],
  ['pending', 1, null],
  ['sending', 0, null],
] as const)(
  'a delivery that is %s after %i attempts waits: %j',
  (delivery_state, delivery_attempt, expected) => {
    expect(waitingDelivery({ ...row, delivery: 'msg_1_42_3', delivery_state, delivery_attempt })).toBe(
      expected,
    );
  },
);
