/** The wait for the end of a task: how often its row is read, and when the wait ends. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TaskRow } from '../../../lib/store/task-row.ts';
import { readTaskRow } from '../../../lib/store/tasks.ts';
import { whenFinal } from '../../../lib/task/wait.ts';
import { searchRow } from './rows.ts';

/** The pauses before the reads, in milliseconds. */
const pauses: number[] = [];
let elapsed = 0;

vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    pauses.push(Math.round(ms));
    elapsed += ms;
  },
}));
vi.mock(import('../../../lib/runtime/clock.ts'), async (original) => ({
  ...(await original()),
  stopwatch: () => elapsed,
}));
vi.mock(import('../../../lib/store/tasks.ts'), () => ({
  readTaskRow: vi.fn(),
}));

beforeEach(() => {
  pauses.length = 0;
  elapsed = 0;
});
afterEach(() => {
  vi.resetAllMocks();
});

const given = (...rows: (TaskRow | undefined)[]) => {
  const reads = vi.mocked(readTaskRow);
  for (const row of rows) reads.mockResolvedValueOnce(row);
  reads.mockResolvedValue(searchRow({ status: 'parsing' }));
};

test('a final task is returned without a read', async () => {
  const row = searchRow({ status: 'success' });

  expect(await whenFinal(row, 25)).toBe(row);
  expect(readTaskRow).not.toHaveBeenCalled();
});

test('the pauses grow to a second', async () => {
  const last = searchRow({ status: 'error' });
  given(...Array.from({ length: 11 }, () => searchRow({ status: 'crawling' })), last);

  expect(await whenFinal(searchRow(), 25)).toBe(last);
  expect(readTaskRow).toHaveBeenCalledWith(1, 42);
  expect(pauses).toEqual([200, 240, 288, 346, 415, 498, 597, 717, 860, 1000, 1000, 1000]);
});

test('the wait ends in time, with the row as it was read last', async () => {
  given();

  expect(await whenFinal(searchRow(), 1)).toMatchObject({ status: 'parsing' });
  expect(pauses).toEqual([200, 240, 288, 272]);
});

test('the wait ends if the task expires', async () => {
  given(undefined);

  expect(await whenFinal(searchRow(), 25)).toBeUndefined();
  expect(pauses).toEqual([200]);
});

test('without time to wait, the row is returned as it is', async () => {
  const row = searchRow();

  expect(await whenFinal(row, 0)).toBe(row);
  expect(pauses).toEqual([]);
});
