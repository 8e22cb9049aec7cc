/** The webhook of a task as its owner sees it, and as its owner has it sent again. */
import type { Attempt, Deliveries } from '../model/deliveries.ts';
import { HttpError } from '../model/http-error.ts';
import { maxResends } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { restartDelivery } from '../store/deliveries.ts';
import type { LoggedAttempt, Reported } from '../store/reported.ts';
import type { TaskRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';
import { queueDelivery } from './queue.ts';
import { isFinal } from './status.ts';
import { unsentSeconds } from './timing.ts';

/** A task of one version of the API. */
type Wanted = { id: number; api: 'v1' | 'v2' };

const find = async (user: Account, { id, api }: Wanted, now: number): Promise<TaskRow> => {
  const row = await readRow(user.id, id, now);
  if (!row || (row.api ?? 'v2') !== api) throw new HttpError(404, 'Task not found');
  return row;
};

const attemptOf = ([time, status, milliseconds, error]: LoggedAttempt, isUnderWay: boolean): Attempt =>
  status === undefined
    ? {
        time,
        status: null,
        duration_ms: null,
        error: isUnderWay ? null : 'unknown: the outcome of the attempt was not recorded',
      }
    : { time, status: status || null, duration_ms: milliseconds ?? null, error: error ?? null };

/** A webhook and its attempts. */
export const deliveryOf = (row: Reported): Omit<Deliveries, 'task_id'> => {
  const { delivery_state = null, attempt_log = [] } = row;
  const isUnderWay = (n: number) => delivery_state === 'sending' && n === attempt_log.length - 1;
  return {
    postback_url: row.postback_url,
    delivery_id: row.delivery,
    state: delivery_state,
    attempts: attempt_log.map((attempt, n) => attemptOf(attempt, isUnderWay(n))),
  };
};

const viewOf = (row: TaskRow): Deliveries => ({ task_id: row.id, ...deliveryOf(row) });

/**
 * Returns the webhook of the user's task and its attempts.
 * @throws HttpError 404 if the id is unknown, expired, another user's or of the other version (Readings 10
 * and 13).
 */
export const readDeliveries = async (user: Account, wanted: Wanted, now = clock()): Promise<Deliveries> =>
  viewOf(await find(user, wanted, now));

/**
 * Starts a webhook over, with its first attempt. `noun`: what it reports on.
 * @throws HttpError 409 if it is under way, or was sent again too often.
 */
export const restart = async (row: Reported, noun: 'task' | 'alert', now: number): Promise<void> => {
  const { user_id, id, delivery, resends = 0 } = row;
  if (resends >= maxResends) throw new HttpError(409, `The delivery was sent again ${maxResends} times`);
  const key = { user_id, id, delivery: delivery ?? '' };
  if (!(await restartDelivery(key, resends, now, now + unsentSeconds))) {
    throw new HttpError(409, `A delivery of this ${noun} is under way`);
  }
  // If the process dies here, the sweeper queues the delivery.
  await queueDelivery({ ...key, attempt: 1, round: resends + 1 });
};

/**
 * Sends the webhook of a final task again, also one that was delivered: with the same `webhook-id`, and with
 * retries as for the first time.
 * @throws HttpError 404 as `readDeliveries`; 409 if the task has no webhook, is not final, or has a delivery
 * under way.
 */
export const sendAgain = async (user: Account, wanted: Wanted, now = clock()): Promise<Deliveries> => {
  const row = await find(user, wanted, now);
  if (!row.postback_url) throw new HttpError(409, 'The task has no postback_url');
  if (!isFinal(row.status)) throw new HttpError(409, 'The task is not final');
  await restart(row, 'task', now);
  return viewOf({ ...row, delivery_state: 'pending' });
};
