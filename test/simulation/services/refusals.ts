/** Tables, queues, buckets and machines that refuse all calls for some seconds, as AWS does at a limit. */
import type { AwsCall } from '../code/sdk.ts';
import type { Faults } from '../world/faults.ts';

/** Each refuses at most so long (milliseconds). */
const longestMs = 20_000;

export type Refusals = {
  /** Whether what a call is for refuses it. */
  isRefused: (call: AwsCall) => boolean;
};

export const newRefusals = (faults: Faults, now: () => number): Refusals => {
  /** Until when each refuses. */
  const untilOf = new Map<string, number>();
  return {
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
