/** The sweeper: re-queues tasks that are unfinished for too long, because a process died between two writes or a message was lost. */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { log } from '../runtime/log.ts';
import { addToScope, withScope } from '../runtime/scope.ts';
import type { TaskRow } from '../store/task-row.ts';
import { dropExpired, postponeRow, readOverdue, readRow } from '../store/tasks.ts';
import { deadlineOf } from './deadline.ts';
import { failTask, failures } from './fail.ts';
import { queueDelivery, queueTasks } from './queue.ts';
import { isFinal } from './status.ts';
import { graceSeconds, unclaimedSeconds } from './timing.ts';

/** Tasks of each partition that one sweep handles. The next sweep, a minute later, continues. */
const limit = 100;

/** Queues the delivery attempt after the last one that began, because the outcome of that one was never recorded. */
const redeliver = async ({ user_id, id, delivery, delivery_attempt }: TaskRow): Promise<void> => {
  if (delivery) await queueDelivery({ user_id, id, delivery, attempt: delivery_attempt + 1 });
};

/** Handles an overdue task. Returns its age in seconds if it is not final, otherwise 0. */
const sweepTask = async (key: TaskKey, now: number): Promise<number> => {
  const row = await readRow(key.user_id, key.id, now);
  if (!row) {
    await dropExpired(key, now);
    return 0;
  }
  addToScope({ trace: row.trace });
  // The index may lag behind the table.
  if (row.due_at === undefined || row.due_at > now) return 0;
  const age = isFinal(row.status) ? 0 : now - row.created_at;
  if (!isFinal(row.status) && now >= deadlineOf(row.created_at)) {
    await failTask(row, row.postponed_to === undefined ? failures.late : failures.throttled, now);
    return age;
  }
  // The due time is set first. If the process then dies, a later sweep handles the task, and two sweeps never handle it at once. A second
  // message for an attempt costs nothing; a second message for a run costs a crawl.
  const again = now + (isFinal(row.status) ? graceSeconds : unclaimedSeconds);
  if (!(await postponeRow(row, row.due_at, again))) return age;
  log.warn('task taken up again', { status: row.status, attempt: row.attempt }, { TasksTakenUp: 1 });
  await (isFinal(row.status) ? redeliver(row) : queueTasks([row]));
  return age;
};

/** Handles all overdue tasks. Returns their number. */
export const sweepTasks = async (now = clock()): Promise<number> => {
  const overdue = await readOverdue(now, limit);
  const ages = [0];
  await inParallel(overdue, 8, async (task) => {
    ages.push(await withScope({ user_id: task.user_id, task_id: task.id }, () => sweepTask(task, now)));
  });
  log.info('swept', { overdue: overdue.length }, { OldestTaskSeconds: Math.max(...ages) });
  return overdue.length;
};
