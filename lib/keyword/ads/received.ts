/** Messages of the keyword queue in a run: their tasks, their end, and their return to the queue. */
import type { KeywordMessage, TaskKey } from '../../model/workflow.ts';
import { pauseAfter } from '../../runtime/back-pressure.ts';
import { preciseClock } from '../../runtime/clock.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { log } from '../../runtime/log.ts';
import type { TaskRow } from '../../store/task-row.ts';
import { moveRow } from '../../store/tasks.ts';
import { deadlineOf } from '../../task/deadline.ts';
import { endFailed, failures } from '../../task/fail.ts';
import { finalChanges, logEnd } from '../../task/final-write.ts';
import { createdAt } from '../../task/id.ts';
import { type QueuedDelivery, queueAllLater, queueDeliveries } from '../../task/queue.ts';
import { statesBefore } from '../../task/status.ts';
import { graceSeconds, shownSeconds, unclaimedSeconds } from '../../task/timing.ts';

/** A message, and the number of times that it was received. */
export type Received = { message: KeywordMessage; receives: number; messageId: string };

/** Writes at a time: about as many as the client of the table has connections for. */
const writeWidth = 40;

/** The tasks of messages. */
export const keysOf = (messages: readonly Received[]): TaskKey[] =>
  messages.flatMap(({ message: { user_id, id, more } }) =>
    [id, ...more].map((each) => ({ user_id, id: each })),
  );

/** A row that ends in `success`, and what the write sets besides. */
export type Success<Row extends TaskRow> = { row: Row; changes: Partial<Omit<Row, 'kind'>> };

/**
 * Ends tasks in `success`, and queues their webhooks. A task that has ended meanwhile is left alone. No run
 * claims these tasks: a second run costs a part of a call, and this write makes sure that only one of them
 * ends the task.
 */
export const endInSuccess = async <Row extends TaskRow>(
  successes: readonly Success<Row>[],
  now: number,
): Promise<number> => {
  const deliveries: QueuedDelivery[] = [];
  let ended = 0;
  await inParallel(successes, writeWidth, async ({ row, changes }) => {
    const { user_id, id, trace } = row;
    const attempt = row.attempt + 1;
    const end = finalChanges({ ...row, attempt }, { status: 'success' }, now);
    const moved = await moveRow(
      row,
      { from: statesBefore(row.kind, 'success'), attempt: row.attempt },
      { ...end, ...changes, attempt },
    );
    if (!moved) return;
    ended += 1;
    if (end.delivery) {
      deliveries.push({ user_id, id, delivery: end.delivery, attempt: 1, ...(trace && { trace }) });
    }
  });
  await queueDeliveries(deliveries);
  return ended;
};

/**
 * Tasks of a call that are shown as `parsing`: a write for each of ten thousand would take longer than the
 * call.
 */
const mostShown = 100;

/**
 * Shows tasks as `parsing` while the source is asked (Reading 3). If the run dies, their message comes again:
 * a run takes tasks in this state, too.
 */
export const showParsing = async (rows: readonly TaskRow[]): Promise<void> => {
  if (rows.length > mostShown) return;
  await inParallel(rows, writeWidth, async (row) => {
    const condition = { from: statesBefore(row.kind, 'parsing'), attempt: row.attempt };
    await moveRow(row, condition, { status: 'parsing', postponed_to: undefined });
  });
};

/** Ends tasks without a result, and queues their webhooks. */
export const endInFailure = async (
  rows: readonly TaskRow[],
  failure: Parameters<typeof endFailed>[1],
  now: number,
): Promise<void> => {
  const deliveries: QueuedDelivery[] = [];
  await inParallel(rows, writeWidth, async (row) => {
    const delivery = await endFailed(row, failure, now);
    if (delivery) deliveries.push({ ...delivery, ...(row.trace && { trace: row.trace }) });
  });
  await queueDeliveries(deliveries);
};

/** Logs tasks that succeeded together. */
export const logSuccess = (row: TaskRow, now: number): void => logEnd(row, { status: 'success' }, now);

const sendBack = async (messages: readonly { message: KeywordMessage; at: number }[], now: number) => {
  const copies = messages.map(({ message, at }) => ({ ...message, not_before: at, delaySeconds: at - now }));
  await queueAllLater('keyword', copies);
};

/**
 * Queues copies of messages for `at` (Unix seconds), because the source takes no calls before. `rows` are
 * their tasks that are not final. Tasks whose deadline is before that time end instead.
 */
export const postpone = async (
  messages: readonly Received[],
  rows: readonly TaskRow[],
  at: number,
  isThrottled: boolean,
  now = preciseClock(),
): Promise<void> => {
  const whole = Math.ceil(at);
  const isLate = (row: TaskRow) => whole >= deadlineOf(row.created_at);
  await endInFailure(rows.filter(isLate), failures.noMoreCalls, Math.floor(now));
  const waiting = rows.filter((row) => !isLate(row));
  // Without the record, the sweeper would queue the tasks again while their message waits.
  const isRecorded = (row: TaskRow) =>
    at >= now + shownSeconds || at + graceSeconds > row.created_at + unclaimedSeconds;
  await inParallel(waiting.filter(isRecorded), writeWidth, async (row) => {
    await moveRow(
      row,
      { from: ['awaiting', 'parsing'], attempt: row.attempt },
      {
        due_at: Math.min(whole + unclaimedSeconds, deadlineOf(row.created_at)),
        ...(at >= now + shownSeconds && { postponed_to: whole }),
      },
    );
  });
  const left = new Set(waiting.map(({ user_id, id }) => `${user_id}/${id}`));
  const again = messages.flatMap(({ message }) => {
    const { user_id, id, more } = message;
    const [first, ...others] = [id, ...more].filter((each) => left.has(`${user_id}/${each}`));
    if (first === undefined) return [];
    const throttled = isThrottled ? message.throttled + 1 : message.throttled;
    return { message: { ...message, id: first, more: others, throttled }, at };
  });
  await sendBack(again, now);
  log.info('keyword tasks put off', { tasks: waiting.length, seconds: Math.ceil(at - now) });
};

/** Queues copies of messages that came before their time. */
export const returnEarly = (messages: readonly Received[], now: number): Promise<void> =>
  sendBack(
    messages.map(({ message }) => ({ message, at: message.not_before ?? now })),
    now,
  );

/** Queues copies of messages at once: another call takes their tasks. */
export const returnNow = (messages: readonly Received[], now: number): Promise<void> =>
  sendBack(
    messages.map(({ message }) => ({ message, at: now })),
    now,
  );

/**
 * Queues copies of messages, because an AWS service refused a call. The pause grows with the number of
 * refusals. Past the deadline, the sweeper ends the tasks.
 */
export const postponeRefused = async (messages: readonly Received[], now = preciseClock()): Promise<void> => {
  const again = messages.flatMap(({ message }) => {
    const refused = message.refused + 1;
    const at = now + pauseAfter(refused);
    return at < deadlineOf(createdAt(message.id)) ? { message: { ...message, refused }, at } : [];
  });
  await sendBack(again, now);
};
