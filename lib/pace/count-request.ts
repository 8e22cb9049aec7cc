/** Counts requests that follow a page in the rate of its engine. */
import { preciseClock } from '../runtime/clock.ts';
import type { SerpRow } from '../store/task-row.ts';
import { lineOf, takeTurnBy } from './line-turn.ts';
import { linesOf } from './lines.ts';
import { presentRate } from './rest.ts';

/** Takes the next turn at the engine without waiting for it: later runs wait one turn longer. */
export const countRequest = async (
  task: Pick<SerpRow, 'engine' | 'id'>,
  now = preciseClock(),
): Promise<void> => {
  const rate = await presentRate(task.engine);
  if (rate === 0) return;
  await takeTurnBy(lineOf(task, rate), { now, seconds: linesOf(rate) / rate }, Number.MAX_SAFE_INTEGER);
};
