/** When a task that is not final must end. */
import { afterEach, expect, test, vi } from 'vitest';
import { deadlineOf } from '../../../lib/task/deadline.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['', 6 * 3600],
  ['60', 60],
])('with TASK_DEADLINE %j a task must end %i s after its creation', (setting, seconds) => {
  vi.stubEnv('TASK_DEADLINE', setting);
  expect(deadlineOf(1000)).toBe(1000 + seconds);
});
