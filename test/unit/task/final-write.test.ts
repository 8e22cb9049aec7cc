/** The changes that every final write of a task makes. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { finalChanges, logEnd } from '../../../lib/task/final-write.ts';

const now = 1_790_000_000;
const row = { user_id: 1, id: 42, attempt: 3, postback_url: 'https://receiver.example/' } as SerpRow;

test('a task with a webhook is in the index of unfinished tasks, even if it had left the index', () => {
  expect(finalChanges(row, { status: 'success' }, now)).toMatchObject({
    status: 'success',
    succeed_at: now,
    delivery: 'msg_1_42_3',
    delivery_state: 'pending',
    delivery_attempt: 0,
    unfinished: 'delivery#10',
    due_at: now + 25,
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
