/** Tables, queues, buckets and machines that refuse all calls for some seconds, as AWS does at a limit. */
import type { AwsCall } from '../code/sdk.ts';
import type { Faults } from '../world/faults.ts';

/** Each refuses at most so long (milliseconds). */
const longestMs = 20_000;

/**
 * A table that refuses the record of an accepted webhook does so until shortly before the next sweep, if that
 * is after the time at which the attempt counts as dead (milliseconds).
 */
const sweepMs = 60_000;
const deadMs = 25_000;
const beforeSweepMs = 2000;

export type Refusals = {
  /** Whether what a call is for refuses it. */
  isRefused: (call: AwsCall) => boolean;
  /** Notes that the sweeper runs. */
  swept: () => void;
  /** Notes that a receiver has accepted a webhook: the table may then refuse the record of that. */
  accepted: (url: string, table: string) => void;
};

export const newRefusals = (faults: Faults, now: () => number): Refusals => {
  /** Until when each refuses. */
  const untilOf = new Map<string, number>();
  let sweptAt = 0;
  return {
    swept: () => {
      sweptAt = now();
    },
    accepted: (url, table) => {
      const left = sweepMs - ((now() - sweptAt) % sweepMs) - beforeSweepMs;
      if (left >= deadMs && faults.strikes('refused record', url)) untilOf.set(table, now() + left);
    },
    isRefused: ({ input }) => {
      const { TableName, RequestItems, QueueUrl, Bucket, stateMachineArn } = input;
      const [ofBatch] = Object.keys(RequestItems ?? {});
      const name = TableName ?? ofBatch ?? QueueUrl ?? Bucket ?? stateMachineArn;
      if (name === undefined) return false;
      const key = String(name);
      if (faults.strikes('refused calls', key))
        untilOf.set(key, now() + 1000 + faults.amount('refused calls', longestMs));
      return now() < (untilOf.get(key) ?? 0);
    },
  };
};
