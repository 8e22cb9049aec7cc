/**
 * The sweeper: re-queues tasks that are unfinished for too long, because a process died between two writes or
 * a message was lost.
 */
import type { TaskKey } from '../model/workflow.ts';

import { isBackPressure } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { inBatches, inParallel } from '../runtime/in-parallel.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';
import { log } from '../runtime/log.ts';
import { collectErrors } from '../runtime/run-errors.ts';
import { addToScope, withScope } from '../runtime/scope.ts';
import { timeLimit } from '../runtime/time-limit.ts';
import type { Reported } from '../store/reported.ts';
import type { BatchRow, ReportedRow, TaskRow } from '../store/task-row.ts';
import { dropExpired, postponeRow, readRows } from '../store/tasks.ts';
import { readOverdue } from '../store/unfinished.ts';
import { deadlineOf } from './deadline.ts';
import { checkBatch } from './end-batch.ts';
import { endFailed, failures } from './fail.ts';
import { hasQueued, type QueuedWork } from './has-queued.ts';
import { type QueuedDelivery, queueDeliveries, queueTasks } from './queue.ts';
import { isFinal } from './status.ts';
import { graceSeconds, sweepSeconds, unclaimedSeconds, unrecordedSeconds } from './timing.ts';
import { webhookWaits } from './webhook-waits.ts';

/** Keys that one query of a partition returns. */
const limit = 100;

/** The time between two sweeps. */
const recentSeconds = 60;

/**
 * Tasks that are read with one request, and whose messages are sent together. A sweep begins no further batch
 * when its time is up.
 */
const batchSize = 50;

/**
 * Batches that a sweep handles at a time, and writes of each batch. Together they use the connections that a
 * client opens (50).
 */
const batchWidth = 4;
const writeWidth = 12;

/**
 * The messages that an overdue row needs, if any. `age`: that of the task in seconds; 0 if it is final.
 * `dueAgain`: the time at which the next sweep looks at a row that was taken up.
 */
type Swept = {
  row?: ReportedRow;
  age: number;
  dueAgain?: number;
  run?: TaskRow;
  deliveries?: (QueuedDelivery | null)[];
};

/** The delivery attempt after the last one that began, because the outcome of that one was never recorded. */
const nextAttempt = (row: Reported): QueuedDelivery | null => {
  const { user_id, id, delivery, delivery_attempt, delivery_state, resends, trace } = row;
  if (!delivery) return null;
  const delaySeconds = delivery_state === 'sending' ? unrecordedSeconds : 0;
  return {
    user_id,
    id,
    delivery,
    attempt: delivery_attempt + 1,
    ...(resends !== undefined && { round: resends }),
    ...(trace && { trace }),
    delaySeconds,
  };
};

/** Whether messages about such work wait in a queue. */
type IsQueued = (work: QueuedWork) => Promise<boolean>;

/** A row whose work is due. */
type Due<Row> = Row & { due_at: number };

const isDue = <Row extends ReportedRow>(row: Row, now: number): row is Due<Row> =>
  row.due_at !== undefined && row.due_at <= now;

/**
 * Handles an overdue webhook. A message that was queued less than 15 minutes ago probably waits while its
 * queue has messages: the receiver's user has many, or the receivers are slow. Another copy would not be made
 * sooner. After 15 minutes it is queued even then, because a message can be lost while others wait.
 */
const sweepDelivery = async (row: Due<ReportedRow>, now: number, isQueued: IsQueued): Promise<Swept> => {
  const { delivery_state, delivery_attempt, due_at } = row;
  const dueAgain = now + graceSeconds;
  // The first attempt was queued when the delivery began to wait. The state machine makes the later ones, or
  // an attempt has died: only the sweeper has queued the next one.
  const isFirst = delivery_state === 'pending' && delivery_attempt === 0;
  const queuedAt = row.queued_at ?? (isFirst ? now : undefined);
  const isRecent = queuedAt !== undefined && now - queuedAt < unclaimedSeconds;
  const waits = isRecent && row.delivery !== null && (await isQueued('delivery'));
  if (!(await postponeRow(row, due_at, dueAgain, waits ? queuedAt : now)) || waits) return { age: 0 };
  return { row, age: 0, dueAgain, deliveries: [nextAttempt(row)] };
};

/** Handles an overdue batch: the end of its last task was not followed by a check of the batch. */
const sweepBatchRow = async (row: Due<BatchRow>, now: number): Promise<Swept> => {
  const dueAgain = now + graceSeconds;
  if (!(await postponeRow(row, row.due_at, dueAgain))) return { age: 0 };
  return { row, age: 0, dueAgain, deliveries: [await checkBatch(row, undefined, now)] };
};

/**
 * The time from which no run works on an overdue task. The upstream provider works on the task that waits for
 * it.
 */
const idleSince = (row: TaskRow): number =>
  row.kind === 'serp' && row.status === 'awaiting_webhook' && row.upstream
    ? row.upstream.until
    : row.created_at;

/** The metric of a task whose message was queued again. */
const takenUp = { TasksTakenUp: 1 };

/** Why a task that is past its deadline fails. */
const lateFailure = ({ kind, status, postponed_to }: TaskRow) => {
  if (status === 'awaiting_webhook') return failures.overdue;
  if (postponed_to === undefined) return failures.late;
  return kind === 'serp' ? failures.throttled : failures.noMoreCalls;
};

/**
 * Handles an overdue task, except for its message. `row`: undefined if it has expired. `isQueued`: messages
 * wait in the queue of its kind, so an unclaimed task probably waits its turn there.
 */
const sweepTask = async (
  key: TaskKey,
  row: ReportedRow | undefined,
  now: number,
  isQueued: IsQueued,
): Promise<Swept> => {
  if (!row) {
    const dropped = await dropExpired(key, now);
    // The index of unfinished work still had the row, so the task did not end, or its webhook was not sent.
    if (dropped) log.warn('expired with work left', dropped);
    return { age: 0 };
  }
  const { trace } = row;
  addToScope({ trace });
  // The index may lag behind the table.
  if (!isDue(row, now)) return { age: 0 };
  if (row.kind === 'alert') return sweepDelivery(row, now, isQueued);
  if (row.kind === 'batch') {
    return row.delivery ? sweepDelivery(row, now, isQueued) : sweepBatchRow(row, now);
  }
  if (isFinal(row.status)) {
    const swept = await sweepDelivery(row, now, isQueued);
    if (swept.row) log.warn('task taken up again', { status: row.status, attempt: row.attempt }, takenUp);
    return swept;
  }
  const age = Math.max(0, now - idleSince(row));
  const deadline = deadlineOf(row.created_at);
  if (now >= deadline) {
    const delivery = await endFailed(row, lateFailure(row), now);
    const ofBatch =
      row.batch_id === undefined ? null : await checkBatch({ ...row, id: row.batch_id }, row.id, now);
    return { age, deliveries: [delivery && { ...delivery, ...(trace && { trace }) }, ofBatch] };
  }
  // The due time is set first. If the process then dies, a later sweep handles the task, and two sweeps never
  // handle it at once. A second message for an attempt costs nothing; a second message for a run costs a
  // crawl.
  const again = Math.min(now + unclaimedSeconds, deadline);
  // A new task that is due earlier was never queued: a live call was to run it, or its queue did not take it.
  const wasQueued = row.due_at >= row.created_at + unclaimedSeconds;
  const waits = row.status === 'awaiting' && wasQueued && (await isQueued(row.kind));
  if (!(await postponeRow(row, row.due_at, again)) || waits) return { age };
  log.warn('task taken up again', { status: row.status, attempt: row.attempt }, takenUp);
  return { row, age, dueAgain: again, run: row };
};

/**
 * Queues the messages of a batch. If the queue does not take them, the tasks are due again within two
 * minutes, not all at once.
 * @throws the error of the queue.
 */
const queueSwept = async (swept: readonly Swept[], now: number): Promise<void> => {
  try {
    await queueDeliveries(
      swept.flatMap(({ deliveries = [] }) => deliveries.flatMap((delivery) => delivery ?? [])),
    );
    await queueTasks(swept.flatMap(({ run }) => run ?? []));
  } catch (error) {
    if (isBackPressure(error)) {
      await inParallel(swept, writeWidth, async ({ row, dueAgain, deliveries }) => {
        const sooner = now + Math.ceil(graceSeconds * (1 + Math.random()));
        // 0: no message of the delivery waits in a queue.
        const queuedAt = deliveries?.some((delivery) => delivery !== null) ? 0 : undefined;
        if (row && dueAgain !== undefined) await postponeRow(row, dueAgain, sooner, queuedAt);
      });
    }
    throw error;
  }
};

/** What a later release wrote stays overdue: the run counts as failed, so that an operator hears of it. */
const isRefusedHere = (error: unknown): error is Error =>
  isBackPressure(error) && !(error instanceof LaterReleaseError);

/**
 * Handles the overdue deliveries and tasks, one page after another, until none is left or the time is up.
 * `isOver` is asked before each batch. Returns the number of keys that were handled. A task whose calls AWS
 * services refuse is left for a later sweep.
 * @throws the first other error, after all other tasks were handled.
 */
export const sweepTasks = async (now = clock(), isOver = timeLimit(sweepSeconds)): Promise<number> => {
  const counts = new Map<QueuedWork, Promise<boolean>>();
  const isQueued: IsQueued = (work) => {
    const known = counts.get(work) ?? hasQueued(work);
    counts.set(work, known);
    return known;
  };
  let overdue = 0;
  let oldest = 0;
  let oldestWebhook = 0;
  let isComplete = true;
  const errors = collectErrors(isRefusedHere);
  const sweepBatch = async (keys: readonly TaskKey[]): Promise<void> => {
    overdue += keys.length;
    const read = await readRows(keys, now);
    const swept: Swept[] = [];
    const sweepKey = async ([n, key]: [number, TaskKey]): Promise<void> => {
      try {
        const row = read[n];
        if (row?.status === 'rejected') throw row.reason;
        if (row?.value) oldestWebhook = Math.max(oldestWebhook, webhookWaits(row.value, now));
        swept.push(await sweepTask(key, row?.value, now, isQueued));
      } catch (error) {
        errors.add(error);
      }
    };
    await inParallel(keys.entries(), writeWidth, (entry) =>
      withScope({ user_id: entry[1].user_id, task_id: entry[1].id }, () => sweepKey(entry)),
    );
    oldest = Math.max(oldest, ...swept.map(({ age }) => age));
    await queueSwept(swept, now);
  };

  // Tasks that became overdue in the last minute come first, because the deadlines of tasks are among them:
  // a backlog of older tasks must not delay the end of these.
  const recent = now - recentSeconds + 1;
  const sources = [
    readOverdue('delivery', { to: now }, limit),
    readOverdue('task', { recent, to: now }, limit),
  ];
  while (!isOver()) {
    const pages = await Promise.all(sources.map((source) => source.next())).catch(errors.add);
    if (!pages) {
      isComplete = false;
      break;
    }
    if (pages.every(({ done }) => done)) break;
    const keys = pages.flatMap(({ value }) => value ?? []);
    await inParallel(
      inBatches(keys, batchSize),
      batchWidth,
      (batch) => sweepBatch(batch).catch(errors.add),
      isOver,
    );
  }
  if (isComplete) {
    const ofWebhooks = oldestWebhook > 0 && { OldestWebhookSeconds: oldestWebhook };
    log.info('swept', { overdue }, { OldestTaskSeconds: oldest, ...ofWebhooks });
  }
  // One broken row must not keep the sweeper from the others, but the run counts as failed.
  errors.throwFirst();
  return overdue;
};
