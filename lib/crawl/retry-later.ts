/** Postpones a task until its engine may be asked again. The delayed message is a new one, so waiting does not use up a receive. */
import type { CrawlMessage } from '../model/workflow.ts';
import { log } from '../runtime/log.ts';
import { moveRow } from '../store/tasks.ts';
import { deadlineOf } from '../task/deadline.ts';
import { failTask, failures } from '../task/fail.ts';
import { createdAt } from '../task/id.ts';
import { queueLater } from '../task/queue.ts';
import { graceSeconds, unclaimedSeconds } from '../task/timing.ts';

/** Queues a copy of the message for `at` (Unix seconds). Ends the task if `at` is past its deadline, because waiting cannot help it. */
export const postpone = async (message: CrawlMessage, at: number, now = Date.now() / 1000): Promise<void> => {
  const { user_id, id, throttled } = message;
  const deadline = deadlineOf(createdAt(id));
  if (at >= deadline) return failTask(message, failures.throttled);
  // A short wait needs no write: it ends before the sweeper looks at the row.
  if (throttled > 0 || at + graceSeconds > createdAt(id) + unclaimedSeconds) {
    await moveRow(
      { user_id, id },
      { from: ['awaiting', 'crawling'] },
      {
        due_at: Math.min(Math.ceil(at) + unclaimedSeconds, deadline),
        postponed_to: Math.ceil(at),
        // A run that was throttled gives up its lease; the task waits as `crawling` for a later run (Reading 1).
        ...(throttled > 0 && { lease_until: 0 }),
      },
    );
  }
  log.info(
    'task put off',
    { engine: message.engine, throttled, seconds: Math.ceil(at - now) },
    { TasksPutOff: 1 },
  );
  await queueLater('serp', { ...message, not_before: at }, at - now);
};
