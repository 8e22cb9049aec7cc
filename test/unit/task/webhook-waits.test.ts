/** Since when a webhook waits for its next attempt. */
import { expect, test } from 'vitest';
import type { ReportedRow } from '../../../lib/store/task-row.ts';
import { webhookWaits } from '../../../lib/task/webhook-waits.ts';

const now = 10_000;
const row = {
  kind: 'serp',
  status: 'success',
  delivery: 'msg_1_2_1',
  delivery_state: 'pending',
  delivery_attempt: 0,
  succeed_at: now - 700,
};
const waits = (changes: object): number =>
  webhookWaits({ ...row, ...changes } as unknown as ReportedRow, now);

test.each([
  ['no attempt yet: since the success of the task', {}, 700],
  ['after attempts: since the last one', { attempt_log: [[now - 600], [now - 90, 500, 12]] }, 90],
  ['the attempt that has begun', { delivery_state: 'sending', attempt_log: [[now - 9]] }, 9],
  ['a clock that is behind', { succeed_at: now + 5 }, 0],
  ['a failed task, whose end nothing records', { status: 'error', succeed_at: 0 }, 0],
  ['an alert, which has no such field', { kind: 'alert', succeed_at: undefined }, 0],
  ['delivered', { delivery_state: 'delivered' }, 0],
  ['parked', { delivery_state: 'parked' }, 0],
  ['sent again by its user, long after', { resends: 1, attempt_log: [[1]] }, 0],
  ['no webhook', { delivery: null }, 0],
])('%s', (_, changes, seconds) => {
  expect(waits(changes)).toBe(seconds);
});
