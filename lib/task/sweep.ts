/** The sweeper: re-queues tasks that are unfinished for too long, because a process died between two writes or a message was lost. */
import type { TaskKey } from '../model/workflow.ts';
import { isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { log } from '../runtime/log.ts';
import { addToScope, withScope } from '../runtime/scope.ts';
import type { TaskKind, TaskRow } from '../store/task-row.ts';
import { dropExpired, postponeRow, readOverdue, readRow } from '../store/tasks.ts';
import { deadlineOf } from './deadline.ts';
import { failTask, failures } from './fail.ts';
import { hasQueued, queueDelivery, queueTasks } from './queue.ts';
import { isFinal } from './status.ts';
import { graceSeconds, sweepSeconds, unclaimedSeconds, unrecordedSeconds } from './timing.ts';

/** Tasks that one query of a partition returns. */
const limit = 100;

/** Tasks that a sweep handles at a time: each waits for a read, a write and a message. */
const width = 32;

const nameOf = ({ user_id, id }: TaskKey) => `${user_id}/${id}`;

/** Returns a function that says whether so many seconds have passed. */
const timeLimit = (seconds: number): (() => boolean) => {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
};

/** Queues the delivery attempt after the last one that began, because the outcome of that one was never recorded. */
const redeliver = async ({
  user_id,
  id,
  delivery,
  delivery_attempt,
  delivery_state,
}: TaskRow): Promise<void> => {
  if (!delivery) return;
  const delay = delivery_state === 'sending' ? unrecordedSeconds : 0;
  await queueDelivery({ user_id, id, delivery, attempt: delivery_attempt + 1 }, delay);
};

/**
 * Handles an overdue task. `isQueued`: messages wait in the queue of its kind, so an unclaimed task probably waits its turn there. Returns
 * its age in seconds if it is not final, otherwise 0.
 */
const sweepTask = async (
  key: TaskKey,
  now: number,
  isQueued: (kind: TaskKind) => Promise<boolean>,
): Promise<number> => {
  const row = await readRow(key.user_id, key.id, now);
  if (!row) {
    await dropExpired(key, now);
    return 0;
  }
  addToScope({ trace: row.trace });
  // The index may lag behind the table.
  if (row.due_at === undefined || row.due_at > now) return 0;
  const age = isFinal(row.status) ? 0 : now - row.created_at;
  const deadline = deadlineOf(row.created_at);
  if (!isFinal(row.status) && now >= deadline) {
    await failTask(row, row.postponed_to === undefined ? failures.late : failures.throttled, now);
    return age;
  }
  // The due time is set first. If the process then dies, a later sweep handles the task, and two sweeps never handle it at once. A second
  // message for an attempt costs nothing; a second message for a run costs a crawl.
  const again = isFinal(row.status) ? now + graceSeconds : Math.min(now + unclaimedSeconds, deadline);
  const waits = row.status === 'awaiting' && (await isQueued(row.kind));
  if (!(await postponeRow(row, row.due_at, again)) || waits) return age;
  log.warn('task taken up again', { status: row.status, attempt: row.attempt }, { TasksTakenUp: 1 });
  try {
    await (isFinal(row.status) ? redeliver(row) : queueTasks([row]));
  } catch (error) {
    // The queue did not take the message: the task is due again within two minutes, not all such tasks at once.
    if (isBackPressure(error))
      await postponeRow(row, again, now + Math.ceil(graceSeconds * (1 + Math.random())));
    throw error;
  }
  return age;
};

/** Reads the keys of the overdue deliveries and tasks; undefined if the table refuses. */
const readBatch = async (now: number): Promise<TaskKey[] | undefined> => {
  try {
    return (await Promise.all([readOverdue('delivery', now, limit), readOverdue('task', now, limit)])).flat();
  } catch (error) {
    if (!isBackPressure(error)) throw error;
    logRefusal(error);
    return undefined;
  }
};

/**
 * Handles the overdue deliveries and tasks, one batch after another, until none is left or the time is up. `isOver` is asked before each
 * batch. Returns the number of keys that were handled. A task whose calls AWS services refuse is left for a later sweep.
 * @throws the first other error, after all other tasks were handled.
 */
export const sweepTasks = async (now = clock(), isOver = timeLimit(sweepSeconds)): Promise<number> => {
  const counts = new Map<TaskKind, Promise<boolean>>();
  const isQueued = (kind: TaskKind): Promise<boolean> => {
    const known = counts.get(kind) ?? hasQueued(kind);
    counts.set(kind, known);
    return known;
  };
  let overdue = 0;
  let oldest = 0;
  let isComplete = true;
  const handled = new Set<string>();
  const errors: unknown[] = [];
  for (let found = Number.POSITIVE_INFINITY; found > 0 && !isOver(); ) {
    const keys = await readBatch(now);
    if (!keys) {
      isComplete = false;
      break;
    }
    // A key that was handled may stay in the index: the index lags behind the table.
    const fresh = keys.filter((key) => !handled.has(nameOf(key)));
    found = fresh.length;
    overdue += found;
    await inParallel(
      fresh,
      width,
      (task) =>
        withScope({ user_id: task.user_id, task_id: task.id }, async () => {
          handled.add(nameOf(task));
          try {
            const age = await sweepTask(task, now, isQueued);
            oldest = Math.max(oldest, age);
          } catch (error) {
            if (isBackPressure(error)) logRefusal(error);
            else errors.push(error);
          }
        }),
      isOver,
    );
  }
  if (isComplete) log.info('swept', { overdue }, { OldestTaskSeconds: oldest });
  // One broken row must not keep the sweeper from the others, but the run counts as failed.
  if (errors.length > 0) throw errors[0];
  return overdue;
};
