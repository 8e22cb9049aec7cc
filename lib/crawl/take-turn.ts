/** Before a run: reads the task, and requests its turns at the engine if the run will ask the engine. */
import type { CrawlMessage, TaskKey } from '../model/workflow.ts';
import { requestTurn, type TurnDecision } from '../pace/engine-turn.ts';
import { clock } from '../runtime/clock.ts';
import type { Snapshot } from '../store/snapshots.ts';
import type { SerpRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';
import { findSnapshot } from './reuse.ts';

/**
 * A task, and the snapshot that answers it. Both may be absent. `asksEngine`: whether the run will send
 * requests to the engine. It will not if it only parses pages of an earlier run or of a snapshot.
 */
export type FoundTask = { row: SerpRow | undefined; snapshot: Snapshot | undefined; asksEngine: boolean };

export const findTask = async ({ user_id, id }: TaskKey, now = clock()): Promise<FoundTask> => {
  const row = await readRow(user_id, id, now);
  const snapshot = row?.status === 'awaiting' ? await findSnapshot(row, now) : undefined;
  const isUnanswered = row?.status === 'awaiting' && snapshot === undefined;
  return { row, snapshot, asksEngine: row?.status === 'crawling' || isUnanswered };
};

/** Requests the turns of a run, as `requestTurn`. */
export const takeTurn = (message: CrawlMessage, now?: number): Promise<TurnDecision<FoundTask>> =>
  requestTurn(message, findTask, now);
