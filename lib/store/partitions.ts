/**
 * Partitions of the tasks table. DynamoDB takes 1,000 write units a second in a partition, and a task of one
 * user needs up to ten, so the tasks of a user are spread over sixteen partitions. A partition's name begins
 * with the user: no key can name a task of another user.
 */
import type { TaskKey } from '../model/workflow.ts';

export const shards = 16;

const shardOf = (id: number): number => id % shards;

/** The key of a task's row. */
export const rowKey = ({ user_id, id }: TaskKey) => ({ partition: `${user_id}#${shardOf(id)}`, id });

/** The partitions of a user's rows. */
export const rowPartitions = (userId: number): string[] =>
  Array.from({ length: shards }, (_, shard) => `${userId}#${shard}`);

/** The final states without a result. They are rare, so their tasks have an index. */
export type FailedStatus = 'error' | 'dead_letter';

/** Partition of the index of failed tasks. */
export const failedPartition = ({ user_id, id }: TaskKey, status: FailedStatus): string =>
  `${user_id}#${status}#${shardOf(id)}`;

/** How a task ended. */
export type EndStatus = 'success' | FailedStatus;

/** Fewer than of rows: an entry is written once, and removed once. */
const readyShards = 4;

/**
 * Partition of the same index for tasks that a client of another form has not collected. A task is in one of
 * the partitions only, so those that failed are listed from both.
 */
export const readyPartition = ({ user_id, id }: TaskKey, status: EndStatus): string =>
  `${user_id}#ready-${status}#${id % readyShards}`;

export const readyPartitions = (userId: number, status: EndStatus): string[] =>
  Array.from({ length: readyShards }, (_, id) => readyPartition({ user_id: userId, id }, status));

/** The partitions of a user's failed tasks. */
export const failedPartitions = (userId: number, status: FailedStatus): string[] => [
  ...Array.from({ length: shards }, (_, id) => failedPartition({ user_id: userId, id }, status)),
  ...readyPartitions(userId, status),
];

/**
 * The key of a result: a separate item, so that later writes of the row do not pay for it. Each run, and each
 * later reading, has its own.
 */
export const resultKey = ({ user_id, id }: TaskKey, attempt: number, parse = 0) => ({
  partition: `${user_id}#${shardOf(id)}#result${attempt}${parse > 0 ? `-${parse}` : ''}`,
  id,
});

/** The partitions of a user's results of the runs up to `attempts`, with those of `parses` later readings. */
export const resultPartitions = (userId: number, attempts: number, parses: number): string[] =>
  Array.from({ length: shards }, (_, id) =>
    Array.from({ length: attempts }, (_, n) =>
      Array.from(
        { length: parses + 1 },
        (_, parse) => resultKey({ user_id: userId, id }, n + 1, parse).partition,
      ),
    ),
  ).flat(2);

/** The key of one of a user's counters, from which task ids are made. */
export const counterKey = (userId: number, shard: number) => ({
  partition: `${userId}#counter${shard}`,
  id: 0,
});

/**
 * The key of the record of a request with an `Idempotency-Key`. `name`: a hash of what the key belongs to.
 */
export const requestKey = (userId: number, name: string) => ({
  partition: `${userId}#request#${name}`,
  id: 0,
});

/**
 * Partitions of the index of unfinished work, for each kind of work: no partition takes the writes of all
 * tasks. The names of fewer partitions are among these, so rows that were written with sixteen are found. A
 * larger number takes two releases, as a change of a layout does (`layouts.ts`): the first one reads that
 * many and writes 64, so that it can be brought back after the second one has written into all of them.
 */
export const unfinishedShards = { read: 64, written: 64 } as const;

/** Work that the sweeper finds: a task without a final state, or a webhook that is not delivered. */
export type UnfinishedWork = 'task' | 'delivery';

/** The partition that an item of this id is written to. */
export const unfinishedPartition = (work: UnfinishedWork, id: number): string =>
  `${work}#${id % unfinishedShards.written}`;

/** The partitions in which unfinished work may be. */
export const unfinishedPartitions = (work: UnfinishedWork): string[] =>
  Array.from({ length: unfinishedShards.read }, (_, shard) => `${work}#${shard}`);
