/** The schedule of webhook attempts (Reading 32). */
import { expect, test } from 'vitest';
import { attempts, delayBefore, nextDelivery } from '../../../lib/postback/policy.ts';

test.each([
  [1, 0, 0],
  [2, 60, 60],
  [3, 120, 180],
  [4, 240, 420],
  [5, 480, 900],
  [6, 0, 900],
])('attempt %i waits %i s, %i s in all', (attempt, delay, total) => {
  expect(delayBefore(attempt)).toBe(delay);
  const before = Array.from({ length: attempt }, (_, n) => delayBefore(n + 1));
  expect(before.reduce((sum, seconds) => sum + seconds)).toBe(total);
});

test.each([
  [1, 2],
  [4, 5],
  [attempts, attempts + 1],
  [attempts + 1, attempts + 1],
])('attempt %i is followed by attempt %i', (attempt, next) => {
  expect(nextDelivery({ user_id: 1, id: 2, delivery: 'msg_a', attempt })).toEqual({
    user_id: 1,
    id: 2,
    delivery: 'msg_a',
    attempt: next,
  });
});

test('a delivery that was sent again keeps its round, and a first one has none', () => {
  const key = { user_id: 1, id: 2, delivery: 'msg_a', attempt: 1 };

  expect(nextDelivery({ ...key, round: 2 })).toStrictEqual({ ...key, attempt: 2, round: 2 });
  expect(nextDelivery(key)).toStrictEqual({ ...key, attempt: 2 });
});
