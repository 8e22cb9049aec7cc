/** The changes that every final write of a task makes. */
import { expect, test } from 'vitest';
import type { TaskRow } from '../../../lib/store/task-row.ts';
import { finalChanges } from '../../../lib/task/final-write.ts';

const now = 1_790_000_000;
const row = { user_id: 1, id: 42, attempt: 3, postback_url: 'https://receiver.example/' } as TaskRow;

test('a task with a webhook is in the index of unfinished tasks, even if it had left the index', () => {
  expect(finalChanges(row, { status: 'success' }, now)).toMatchObject({
    status: 'success',
    succeed_at: now,
    delivery: 'msg_1_42_3',
    delivery_state: 'pending',
    delivery_attempt: 0,
    unfinished: String(42 % 8),
    due_at: expect.any(Number),
  });
});

test('a task without a webhook leaves the index', () => {
  const changes = finalChanges(
    { ...row, postback_url: null },
    { status: 'error', error_message: 'captcha: …' },
    now,
  );

  expect(changes).toEqual({
    status: 'error',
    error_message: 'captcha: …',
    succeed_at: 0,
    delivery: null,
    unfinished: undefined,
    due_at: undefined,
  });
});
