/** Puts a task off for its engine's sake: a fresh message later, while this one is acknowledged, so that waiting costs no receive. */
import type { CrawlMessage } from '../model/workflow.ts';
import { log } from '../runtime/log.ts';
import { moveRow } from '../store/tasks.ts';
import { deadlineOf } from '../task/deadline.ts';
import { failTask, failures } from '../task/fail.ts';
import { createdAt } from '../task/id.ts';
import { queueLater } from '../task/queue.ts';
import { graceSeconds, unclaimedSeconds } from '../task/timing.ts';

/** Queues the message again for `at`; ends its task where that is past its deadline, since waiting would not help it. */
export const postpone = async (message: CrawlMessage, at: number, now = Date.now() / 1000): Promise<void> => {
  const { user_id, id, throttled } = message;
  const deadline = deadlineOf(createdAt(id));
  if (at >= deadline) return failTask(message, failures.throttled);
  // A short wait needs no write: the sweeper does not look at the row before it is over.
  if (throttled > 0 || at + graceSeconds > createdAt(id) + unclaimedSeconds) {
    await moveRow(
      { user_id, id },
      { from: ['awaiting', 'crawling'] },
      {
        due_at: Math.min(Math.ceil(at) + unclaimedSeconds, deadline),
        postponed_to: Math.ceil(at),
        // A run that was throttled gives up its lease; the task waits as `crawling` for a later one (Reading 1).
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
