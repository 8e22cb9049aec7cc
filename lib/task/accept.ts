/**
 * Accepts new tasks of any kind: gives them their ids, writes their rows and queues them. The response is
 * sent only after that. With an `Idempotency-Key` (Reading 44), the time and the numbers of the tasks are
 * recorded before their rows are written, so that a repeated request makes the same tasks, and writes those
 * that are missing.
 */
import { HttpError } from '../model/http-error.ts';
import type { IdempotencyKey } from '../model/idempotency.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { putBatch } from '../store/batches.ts';
import { putMissingRows, putNewRow, putRows, reserveNumbers } from '../store/new-tasks.ts';
import { numbersFrom } from '../store/numbers.ts';
import { unfinishedPartition } from '../store/partitions.ts';
import { putRequest, type RequestRecord, readRequest, updateRequest } from '../store/requests.ts';
import type { BatchRow, SerpRow, TaskRow } from '../store/task-row.ts';
import { taskId } from './id.ts';
import { type NewBatch, newBatch } from './new-batch.ts';
import { queueTasks } from './queue.ts';
import { acceptSeconds, lifetimeSeconds } from './timing.ts';

type NewTasks<Row> = {
  userId: number;
  /**
   * Makes the rows, for tasks that are created at this Unix time, with any id. Throws if they cannot be
   * accepted.
   */
  rowsAt: (createdAt: number) => readonly Row[];
  /**
   * Called with the new tasks before they are accepted, and not for those of a repeated request. Throws if
   * they cannot be created now.
   */
  admit?: ((rows: readonly Row[]) => Promise<void>) | undefined;
  idempotency?: IdempotencyKey | undefined;
  /** The tasks are a batch, even if there is only one. */
  batch?: NewBatch | undefined;
  /** Whether to queue the tasks. If not, the caller runs them. */
  isQueued?: boolean;
};

const withNumber = <Row extends TaskRow>(row: Row, number: number): Row => {
  const id = taskId(row.created_at, number);
  return { ...row, id, unfinished: unfinishedPartition('task', id) };
};

/**
 * The rows of a batch and the batch itself, with consecutive numbers: that of the batch is the first. Without
 * a batch, the first number is that of the first row.
 */
const numbered = <Row extends TaskRow>(
  rows: readonly Row[],
  first: number,
  batch: NewBatch | undefined,
): { rows: Row[]; batchRow?: BatchRow } => {
  const numbers = numbersFrom(first, countOf(rows, batch)).slice(batch ? 1 : 0);
  const withIds = rows.map((row, n) => withNumber(row, numbers[n] ?? 0));
  const [one] = withIds;
  if (!batch || !one) return { rows: withIds };
  const id = taskId(one.created_at, first);
  const isReported = batch.postbackUrl !== null;
  return {
    // Tasks of a batch without a webhook do not look for its end.
    rows: isReported ? withIds.map((row) => ({ ...row, batch_id: id })) : withIds,
    batchRow: newBatch(withIds, id, batch),
  };
};

/** How many numbers the rows need, with that of their batch. */
const countOf = (rows: readonly unknown[], batch: NewBatch | undefined): number =>
  rows.length + (batch ? 1 : 0);

const isSearch = <Row extends TaskRow>(row: Row): row is Row & SerpRow => row.kind === 'serp';

/**
 * Gives each row its id (Reading 8) and writes it. A search that comes alone needs no counter, which saves a
 * write.
 */
const putWithIds = async <Row extends TaskRow>(
  userId: number,
  rows: readonly Row[],
  batch: NewBatch | undefined,
): Promise<Row[]> => {
  const [first, ...others] = rows;
  if (!batch && first && isSearch(first) && others.length === 0) {
    return [await putNewRow((number) => withNumber(first, number))];
  }
  const [number = 0] = await reserveNumbers(userId, countOf(rows, batch));
  const { rows: written, batchRow } = numbered(rows, number, batch);
  await putRows(written);
  // Written last: if the process dies before, the rows still run, and the batch of which the client knows
  // nothing has no webhook.
  if (batchRow) await putBatch(batchRow);
  return written;
};

/** The key of a request was used with another body (Reading 44). */
export const otherBody = () =>
  new HttpError(422, [
    {
      loc: ['header', 'idempotency-key'],
      type: 'value_error',
      msg: 'Value error, the key was used with another body in the last 24 hours',
    },
  ]);

const inProgress = () =>
  new HttpError(409, 'A request with this Idempotency-Key is being accepted: send it again later', {
    'Retry-After': '1',
  });

/**
 * The record of an earlier request with the key, which this request may continue.
 * @throws HttpError 422 if that request has another body, 409 if it is being accepted.
 */
const findEarlier = async (
  userId: number,
  key: IdempotencyKey,
  now: number,
): Promise<RequestRecord | undefined> => {
  const earlier = await readRequest(userId, key, now);
  if (!earlier) return undefined;
  if (earlier.body !== key.body) throw otherBody();
  if (earlier.accepted) return earlier;
  // Its process has died, or it was refused by a store: the present request takes its place.
  const lease_until = now + acceptSeconds;
  const isTaken =
    earlier.lease_until <= now &&
    (await updateRequest(userId, key, earlier, { lease_until, accepted: false }));
  if (!isTaken) throw inProgress();
  return { ...earlier, lease_until };
};

/** Records a new request. Undefined if another request with the key was faster. */
const recordNew = async (
  userId: number,
  key: IdempotencyKey,
  count: number,
  now: number,
): Promise<RequestRecord | undefined> => {
  const [first = 0] = await reserveNumbers(userId, count);
  const record = {
    body: key.body,
    created_at: now,
    first,
    lease_until: now + acceptSeconds,
    accepted: false,
    ttl: now + lifetimeSeconds,
  };
  return (await putRequest(userId, key, record, now)) ? record : undefined;
};

/**
 * Accepts all tasks or none. Returns their rows as they were created, and whether this request has created
 * them: false if an earlier request with the same key has.
 * @throws HttpError 409 or 422 because of the key; what `rowsAt` and `admit` throw, before anything is
 * written.
 */
export const acceptTasks = async <Row extends TaskRow>(
  { userId, rowsAt, admit, idempotency: key, isQueued = true, batch }: NewTasks<Row>,
  now: number,
): Promise<{ rows: Row[]; isNew: boolean }> => {
  const earlier = key && (await findEarlier(userId, key, now));
  const rows = rowsAt(earlier?.created_at ?? now);
  if (!earlier) await admit?.(rows);
  if (!key) {
    const written = await putWithIds(userId, rows, batch);
    // If the process dies here, the sweeper queues the stored rows.
    if (isQueued) await queueTasks(written);
    return { rows: written, isNew: true };
  }
  const record = earlier ?? (await recordNew(userId, key, countOf(rows, batch), now));
  if (!record) throw inProgress();
  const { rows: written, batchRow } = numbered(rows, record.first, batch);
  if (record.accepted) return { rows: written, isNew: false };
  try {
    await putMissingRows(written);
    if (batchRow) await putBatch(batchRow);
    if (isQueued) await queueTasks(written);
    await updateRequest(userId, key, record, { lease_until: 0, accepted: true });
  } catch (error) {
    // The next request with the key need not wait for the end of the lease.
    await isAccepted(updateRequest(userId, key, record, { lease_until: 0, accepted: false }));
    throw error;
  }
  return { rows: written, isNew: true };
};

/**
 * Accepts tasks whose ids were reserved for them, and that no earlier call has written. The rows are durable
 * before the messages, so the sweeper queues what a process that dies leaves.
 */
export const acceptReserved = async (rows: readonly TaskRow[]): Promise<void> => {
  await putRows(rows);
  await queueTasks(rows);
};

/**
 * As `acceptReserved`, for tasks that an earlier call may have written. A task that exists stays as it is.
 */
export const acceptMissing = async (rows: readonly TaskRow[]): Promise<void> => {
  await putMissingRows(rows);
  await queueTasks(rows);
};
