import { afterEach, expect, test, vi } from 'vitest';
import { claimChanges, isLeased } from '../../../lib/task/lease.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  [0, false],
  [999, false],
  [1000, false],
  [1001, true],
])('a lease until %i is valid at 1000: %s', (lease_until, expected) => {
  expect(isLeased({ lease_until }, 1000)).toBe(expected);
});

const row = { id: 35, attempt: 2, created_at: 900, due_at: 1000 };

test('a claim takes the next attempt and a lease of five minutes', () => {
  expect(claimChanges(row, 1000)).toEqual({
    attempt: 3,
    lease_until: 1300,
    claim: expect.stringMatching(/^[\w-]{8}$/),
    retries_count: 2,
    unfinished: 'task#35',
    due_at: 1360,
  });
});

test('each lease has another name', () => {
  expect(claimChanges(row, 1000).claim).not.toBe(claimChanges(row, 1000).claim);
});

test('claims that led to no run do not count as retries', () => {
  expect([1, 2, 3].map((unstarted) => claimChanges(row, 1000, unstarted).retries_count)).toEqual([1, 0, 0]);
});

test.each([
  ['no due time', undefined, 1360],
  ['a due time before the end of the lease', 1359, 1360],
  ['a due time that is late enough', 1361, 1361],
  ['a due time after the deadline', 1_000_000, 900 + 6 * 3600],
])('with %s, the sweeper looks at the task after the lease', (_, due_at, expected) => {
  expect(claimChanges({ ...row, due_at }, 1000)).toMatchObject({ due_at: expected });
});

test('the sweeper looks at a claimed task at its deadline, even during the lease', () => {
  vi.stubEnv('TASK_DEADLINE', '120');

  expect(claimChanges(row, 1000)).toMatchObject({ due_at: 1020 });
});
