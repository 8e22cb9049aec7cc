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
  [
    'after attempts: since the last one',
    { delivery_attempt: 2, attempt_log: [[now - 600], [now - 90, 500, 12]] },
    90,
  ],
  [
    'the attempt that has begun',
    { delivery_state: 'sending', delivery_attempt: 1, attempt_log: [[now - 9]] },
    9,
  ],
  ['a clock that is behind', { succeed_at: now + 5 }, 0],
  ['a failed task: since its end', { status: 'error', succeed_at: 0, waits_since: now - 800 }, 800],
  ['a failed task of a former release, which did not record its end', { status: 'error', succeed_at: 0 }, 0],
  ['an alert: since it was found', { kind: 'alert', succeed_at: undefined, created_at: now - 900 }, 900],
  ['a batch: since its end', { kind: 'batch', succeed_at: undefined, waits_since: now - 50 }, 50],
  ['a batch of a former release', { kind: 'batch', succeed_at: undefined, created_at: 1 }, 0],
  ['delivered', { delivery_state: 'delivered' }, 0],
  ['parked', { delivery_state: 'parked' }, 0],
  [
    'sent again by its user, long after: since then',
    { resends: 1, attempt_log: [[1]], waits_since: now - 40 },
    40,
  ],
  [
    'sent again, after an attempt: since that one',
    { resends: 1, delivery_attempt: 1, attempt_log: [[1], [now - 30, 500, 1]], waits_since: now - 40 },
    30,
  ],
  ['sent again by a former release', { resends: 1, attempt_log: [[1]] }, 0],
  ['an alert, sent again by a former release', { kind: 'alert', created_at: 1, resends: 1 }, 0],
  ['an attempt that has no log: since the success of the task', { delivery_attempt: 1 }, 700],
  ['a delivery without a state', { delivery_state: undefined }, 0],
  ['no webhook', { delivery: null }, 0],
])('%s', (_, changes, seconds) => {
  expect(waits(changes)).toBe(seconds);
});
