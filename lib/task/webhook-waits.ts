/** How long a webhook waits for its next attempt. */
import type { ReportedRow } from '../store/task-row.ts';

/**
 * Seconds since the last attempt, or since the success of its task; 0 if the webhook does not wait, or if it
 * is not known since when: nothing records when a task failed, or when a user had a webhook sent again.
 */
export const webhookWaits = (row: ReportedRow, now: number): number => {
  const { delivery, delivery_state, resends, attempt_log = [] } = row;
  if (delivery === null || delivery_state === undefined || resends !== undefined) return 0;
  if (delivery_state === 'delivered' || delivery_state === 'parked') return 0;
  const succeeded = 'succeed_at' in row ? (row.succeed_at ?? 0) : 0;
  const since = attempt_log.at(-1)?.[0] ?? succeeded;
  return since > 0 ? Math.max(0, now - since) : 0;
};
