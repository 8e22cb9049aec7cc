/** Wraps the consumer of a queue: each record is parsed and handled by itself, and only those that failed come again. */
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { logFailure } from './failure.ts';

/** Handles one record; `batch` is what it came with, the same value for all of them. */
type Run<Schema extends v.GenericSchema> = (
  message: v.InferOutput<Schema>,
  record: SQSRecord,
  batch: readonly SQSRecord[],
) => Promise<unknown>;

/**
 * A Lambda handler for an event source with partial batch responses. The records of a batch run side by side; one whose
 * body is no `Message`, or whose `run` throws, is received again until the queue moves it to its dead-letter queue.
 */
export const consumer = <const Schema extends v.GenericSchema>(Message: Schema, run: Run<Schema>) =>
  middy<SQSEvent, SQSBatchResponse>().handler(async ({ Records }) => {
    const outcomes = await Promise.all(
      Records.map((record) =>
        consume(Message, run, record, Records).then(
          () => [],
          (error: unknown) => {
            logFailure('A message failed', error, {
              message_id: record.messageId,
              receive_count: record.attributes.ApproximateReceiveCount,
            });
            return [{ itemIdentifier: record.messageId }];
          },
        ),
      ),
    );
    return { batchItemFailures: outcomes.flat() };
  });

const consume = async <Schema extends v.GenericSchema>(
  Message: Schema,
  run: Run<Schema>,
  record: SQSRecord,
  batch: readonly SQSRecord[],
) => run(v.parse(Message, JSON.parse(record.body)), record, batch);
