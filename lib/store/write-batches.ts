/** Writes and deletes without a condition, 25 in a request. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { isBackPressure } from '../runtime/back-pressure.ts';
import { type DurableWork, durably } from '../runtime/crash.ts';
import { inBatches, inParallel } from '../runtime/in-parallel.ts';
import { untilAccepted } from './until-accepted.ts';

/** A write or a deletion in a batch request. */
export type WriteRequest =
  | { PutRequest: { Item: Record<string, unknown> } }
  | { DeleteRequest: { Key: Record<string, unknown> } };

/** The maximum of DynamoDB. */
const batchSize = 25;

/** A batch of 1,000 tasks is 40 requests, and the table must serve others too. */
const batchWidth = 4;

const mostRequests = 8;

/**
 * Sends the requests, and returns those that the table refused: some of them, or all if it refused the whole
 * batch.
 */
const writeOnce = async (
  table: string,
  work: DurableWork,
  requests: readonly WriteRequest[],
): Promise<readonly WriteRequest[]> => {
  const write = new BatchWriteCommand({ RequestItems: { [table]: [...requests] } });
  try {
    const { UnprocessedItems } = await durably(work, () => dynamo.send(write));
    return (UnprocessedItems?.[table] ?? []) as WriteRequest[];
  } catch (error) {
    if (isBackPressure(error)) return requests;
    throw error;
  }
};

/**
 * Writes all of the requests. Those that the table refuses are repeated, each time after a longer pause.
 * @throws RefusedError if it has not accepted a batch after eight requests.
 */
export const writeBatches = async (
  table: string,
  work: DurableWork,
  requests: readonly WriteRequest[],
): Promise<void> => {
  const what = `The table ${table} has not accepted all items`;
  await inParallel(inBatches(requests, batchSize), batchWidth, (batch) =>
    untilAccepted(what, mostRequests, batch, (unwritten) => writeOnce(table, work, unwritten)),
  );
};
