/** The changes that every final write of a task makes, and the log line that follows it. */
import { log } from '../runtime/log.ts';
import type { Measured } from '../runtime/metrics.ts';
import { unfinishedPartition } from '../store/partitions.ts';
import { endPartition } from '../store/ready.ts';
import type { SerpRow, TaskRow } from '../store/task-row.ts';
import { unsentSeconds } from './timing.ts';

type End = { status: 'success' } | { status: 'error' | 'dead_letter'; error_message: string };

const listedAt = (failed: string | undefined) => (failed === undefined ? {} : { failed });

/**
 * Returns the changes that end a task. A task with a `postback_url` stays in the index of unfinished work
 * until its webhook is delivered or parked. The delivery's id contains the number of the run, so that a
 * redriven task has another delivery (Reading 35).
 */
export const finalChanges = (row: TaskRow, end: End, now: number) => ({
  ...end,
  succeed_at: end.status === 'success' ? now : 0,
  ...listedAt(endPartition(row, end.status)),
  ...(row.postback_url
    ? {
        delivery: `msg_${row.user_id}_${row.id}_${row.attempt}`,
        delivery_state: 'pending' as const,
        delivery_attempt: 0,
        resends: undefined,
        attempt_log: undefined,
        queued_at: undefined,
        // After success, `succeed_at` says the same.
        waits_since: end.status === 'success' ? undefined : now,
        unfinished: unfinishedPartition('delivery', row.id),
        due_at: now + unsentSeconds,
      }
    : { delivery: null, unfinished: undefined, due_at: undefined }),
});

/** The batch to look at when this task has ended; nothing if it is in none. */
export const batchOf = ({ batch_id }: { batch_id?: number | undefined }): { batch_id?: number } =>
  batch_id === undefined ? {} : { batch_id };

/**
 * The delivery that no attempt has begun yet, and that must therefore be queued (again); null if there is
 * none.
 */
export const waitingDelivery = (row: TaskRow): string | null =>
  row.delivery_state === 'pending' && row.delivery_attempt === 0 ? row.delivery : null;

/** An end that comes later after the last page has waited for the service, not for the engine. */
const promptSeconds = 60;

/**
 * Whether a search ended soon after its last page; nothing if it fetched no page. A dead letter never did:
 * the service could not process it, perhaps before any page was recorded.
 */
const promptness = ({ reused, crawled_at }: SerpRow, { status }: End, now: number): Measured => {
  if (status === 'dead_letter') return { EndedInTime: 0 };
  return reused || crawled_at === 0 ? {} : { EndedInTime: now - crawled_at <= promptSeconds ? 1 : 0 };
};

/** Logs the end of a task, with metrics of its result. Call it after the final write. */
export const logEnd = (row: TaskRow, end: End, now: number, ofResult: Measured = {}): void => {
  const { status } = end;
  // The stable word before the colon.
  const reason = status === 'success' ? undefined : end.error_message.split(':')[0];
  if (row.kind !== 'serp') {
    log.info(
      'task ended',
      { kind: row.kind, status, reason },
      { KeywordTaskSucceeded: status === 'success' ? 1 : 0 },
    );
    return;
  }
  log.info(
    'task ended',
    { engine: row.engine, status, reason, reused: row.reused, pages: row.pages.length },
    {
      TaskSucceeded: status === 'success' ? 1 : 0,
      TaskSeconds: now - row.created_at,
      ...promptness(row, end, now),
      ...ofResult,
    },
  );
};
