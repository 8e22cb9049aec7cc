/** How long a webhook waits for its next attempt. */
import type { ReportedRow } from '../store/task-row.ts';

/** Since when the delivery waits for its first attempt; 0 if that is not known. */
const waitsSince = (row: ReportedRow): number => {
  if (row.waits_since !== undefined) return row.waits_since;
  // A former release had it sent again.
  if (row.resends !== undefined) return 0;
  if (row.kind === 'alert') return row.created_at;
  return row.kind === 'batch' ? 0 : row.succeed_at;
};

/**
 * Seconds since the last attempt, or since the webhook was to be sent or sent again; 0 if it does not wait.
 * Also 0 if the end of a task or batch, or the request of its user, was not recorded: former releases did
 * not.
 */
export const webhookWaits = (row: ReportedRow, now: number): number => {
  const { delivery, delivery_state, delivery_attempt, attempt_log = [] } = row;
  if (delivery === null || delivery_state === undefined) return 0;
  if (delivery_state === 'delivered' || delivery_state === 'parked') return 0;
  // Without an attempt, the log has those of the rounds before.
  const last = delivery_attempt > 0 ? attempt_log.at(-1)?.[0] : undefined;
  const since = last ?? waitsSince(row);
  return since > 0 ? Math.max(0, now - since) : 0;
};
