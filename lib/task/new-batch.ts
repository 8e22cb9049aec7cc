/** The row of a new batch. */

import { layouts } from '../store/layouts.ts';
import { unfinishedPartition } from '../store/partitions.ts';
import type { BatchRow, TaskRow } from '../store/task-row.ts';
import { graceSeconds } from './timing.ts';

/** Where the webhook of a batch goes; null if it has none. */
export type NewBatch = { postbackUrl: string | null };

/** A batch of these tasks. */
export const newBatch = (
  rows: readonly TaskRow[],
  id: number,
  { postbackUrl }: NewBatch,
): BatchRow | undefined => {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return undefined;
  const { user_id, created_at, ttl, base_url, trace } = first;
  const api = first.kind === 'serp' ? first.api : undefined;
  return {
    kind: 'batch',
    version: layouts.batch.rowVersion,
    user_id,
    id,
    ...(api && { api }),
    tasks: rows.length,
    // The last task usually ends last.
    waits_for: last.id,
    created_at,
    ttl,
    base_url,
    ...(trace && { trace }),
    postback_url: postbackUrl,
    postback_retries_count: 0,
    delivery: null,
    delivery_attempt: 0,
    ...(postbackUrl !== null && {
      unfinished: unfinishedPartition('task', id),
      due_at: created_at + graceSeconds,
    }),
  };
};
