/**
 * Postpones a task until its engine may be asked again, or until an AWS service accepts calls again. The
 * delayed message is a new one, so waiting does not use up a receive.
 */
import type { CrawlMessage } from '../model/workflow.ts';
import { isAccepted, pauseAfter } from '../runtime/back-pressure.ts';
import { preciseClock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { moveRow } from '../store/tasks.ts';
import { deadlineOf } from '../task/deadline.ts';
import { failTask, failures } from '../task/fail.ts';
import { createdAt } from '../task/id.ts';
import { queueLater } from '../task/queue.ts';
import { graceSeconds, shownSeconds, unclaimedSeconds } from '../task/timing.ts';

/**
 * Queues a copy of the message for `at` (Unix seconds). Ends the task if `at` is past its deadline, because
 * waiting cannot help it. `ended`: the run that the engine has throttled. It gives up its lease; the task
 * waits as `crawling` for a later run (Reading 1). A message that only waits leaves the lease alone: while a
 * copy of it waits for a turn, another copy may have begun the later run.
 */
export const postpone = async (
  message: CrawlMessage,
  at: number,
  ended?: number,
  now = preciseClock(),
): Promise<void> => {
  const { user_id, id, throttled } = message;
  const deadline = deadlineOf(createdAt(id));
  if (at >= deadline) return failTask(message, failures.throttled);
  const isRecorded =
    throttled > 0 || at >= now + shownSeconds || at + graceSeconds > createdAt(id) + unclaimedSeconds;
  // The wait of a message that came back before its time was recorded when it began.
  if (isRecorded && message.not_before !== at) {
    await moveRow(
      { user_id, id },
      { from: ['awaiting', 'crawling'], ...(ended !== undefined && { attempt: ended }) },
      {
        due_at: Math.min(Math.ceil(at) + unclaimedSeconds, deadline),
        postponed_to: Math.ceil(at),
        ...(ended !== undefined && { lease_until: 0 }),
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

/**
 * Gives up the lease of a run that ended in back-pressure, so that a new run may claim the task. Changes
 * nothing for any other run.
 */
export const endLease = async ({ user_id, id, ended }: CrawlMessage): Promise<void> => {
  if (ended === undefined) return;
  await moveRow(
    { user_id, id },
    { from: ['crawling', 'awaiting_webhook'], attempt: ended },
    { lease_until: 0 },
  );
};

/**
 * Queues a copy of the message, because an AWS service refused a call. The pause has jitter, grows with the
 * number of refusals, and is `atLeast` seconds longer. Past the deadline of the task there is nothing to
 * queue: the sweeper ends the task.
 * @throws if the queue refuses the copy too.
 */
export const postponeRefused = async (
  message: CrawlMessage,
  atLeast = 0,
  now = preciseClock(),
): Promise<void> => {
  const { user_id, id, engine } = message;
  const refused = (message.refused ?? 0) + 1;
  const at = now + atLeast + pauseAfter(refused);
  const deadline = deadlineOf(createdAt(id));
  if (at >= deadline) return;
  if (at + graceSeconds > createdAt(id) + unclaimedSeconds) {
    const due_at = Math.min(Math.ceil(at) + unclaimedSeconds, deadline);
    // If the table refuses this write, the sweeper queues the task once more than necessary.
    await isAccepted(
      moveRow({ user_id, id }, { from: ['awaiting', 'crawling', 'awaiting_webhook'] }, { due_at }),
    );
  }
  log.info('task put off', { engine, refused, seconds: Math.ceil(at - now) }, { TasksPutOff: 1 });
  // The run may have used its turn, so the next one requests another.
  await queueLater('serp', { ...message, turn: undefined, refused, not_before: at }, at - now);
};
