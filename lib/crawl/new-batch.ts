/** The row of a new batch. */
import { unfinishedPartition } from '../store/partitions.ts';
import { type BatchRow, batchVersion, type SerpRow } from '../store/task-row.ts';
import { graceSeconds } from '../task/timing.ts';

/** A batch with the ids of its tasks, which were created together with `first`. */
export const newBatch = (
  first: SerpRow,
  { id, ids, postbackUrl }: { id: number; ids: readonly number[]; postbackUrl: string | null },
): BatchRow => ({
  kind: 'batch',
  version: batchVersion,
  user_id: first.user_id,
  id,
  ...(first.api && { api: first.api }),
  tasks: ids.length,
  // The last task usually ends last.
  waits_for: ids.at(-1) ?? id,
  created_at: first.created_at,
  ttl: first.ttl,
  base_url: first.base_url,
  ...(first.trace && { trace: first.trace }),
  postback_url: postbackUrl,
  postback_retries_count: 0,
  delivery: null,
  delivery_attempt: 0,
  ...(postbackUrl !== null && {
    unfinished: unfinishedPartition('task', id),
    due_at: first.created_at + graceSeconds,
  }),
});
