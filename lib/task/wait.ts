/** Waits for the end of a task by reading its row (Reading 45). */
import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch } from '../runtime/clock.ts';
import type { TaskRow } from '../store/task-row.ts';
import { readTaskRow } from '../store/tasks.ts';
import { isFinal } from './status.ts';

/**
 * The first pause between two reads. Each pause is longer than the one before, up to the longest. 25 s are
 * some thirty reads.
 */
const firstPauseMs = 200;
const longestPauseMs = 1000;
const growth = 1.2;

/**
 * Returns the row when the task is final, or as it is after so many seconds. `row`: the row as it was read
 * last. Returns undefined if the task expires meanwhile.
 */
export const whenFinal = async <Row extends TaskRow>(row: Row, seconds: number): Promise<Row | undefined> => {
  const end = stopwatch() + seconds * 1000;
  let last: Row | undefined = row;
  for (
    let pause = firstPauseMs;
    last && !isFinal(last.status);
    pause = Math.min(pause * growth, longestPauseMs)
  ) {
    const left = end - stopwatch();
    if (left <= 0) break;
    await sleep(Math.min(pause, left));
    last = (await readTaskRow(row.user_id, row.id)) as Row | undefined;
  }
  return last;
};
