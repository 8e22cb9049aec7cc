/** A batch as its owner sees it: its progress. */
import { type Batch, noCounts } from '../model/batch.ts';
import { HttpError } from '../model/http-error.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { inBatches } from '../runtime/in-parallel.ts';
import { leaveOut } from '../runtime/later-release.ts';
import { readBatch } from '../store/batches.ts';
import type { BatchRow, SerpRow } from '../store/task-row.ts';
import { readRows } from '../store/tasks.ts';
import { batchTaskIds } from '../task/id.ts';
import { batchOf } from './view.ts';

/** Tasks that one request reads: the maximum of DynamoDB. */
const rowsRead = 100;

/** @throws HttpError 404 if the id is unknown, expired, or another user's. */
export const findBatch = async (user: Pick<Account, 'id'>, id: number, now: number): Promise<BatchRow> => {
  const row = await readBatch({ user_id: user.id, id }, now);
  if (!row) throw new HttpError(404, 'Batch not found');
  return row;
};

/**
 * The tasks of a batch, in the order of the request. `leavesOut`: a task that a later release wrote is left
 * out.
 */
export async function* batchRows(batch: BatchRow, now: number, leavesOut = false): AsyncGenerator<SerpRow[]> {
  const { user_id } = batch;
  for (const ids of inBatches(batchTaskIds(batch.id, batch.tasks), rowsRead)) {
    const read = await readRows(
      ids.map((id) => ({ user_id, id })),
      now,
    );
    yield read.flatMap((settled) => {
      if (settled.status === 'rejected') {
        if (!leavesOut) throw settled.reason;
        leaveOut(settled.reason);
        return [];
      }
      return settled.value?.kind === 'serp' ? settled.value : [];
    });
  }
}

/**
 * Returns the user's batch, with the number of its tasks in each status. The tasks are read for each call,
 * because a count in the row would cost a write for each move of each task.
 * @throws HttpError 404 if the id is unknown, expired, or another user's.
 */
export const readBatchProgress = async (
  user: Pick<Account, 'id'>,
  id: number,
  now = clock(),
): Promise<Batch> => {
  const batch = await findBatch(user, id, now);
  const counts = { ...noCounts };
  for await (const rows of batchRows(batch, now, true)) {
    for (const { status } of rows) if (status !== 'completed') counts[status] += 1;
  }
  return batchOf(batch, counts);
};
