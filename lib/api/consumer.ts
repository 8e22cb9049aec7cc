/** Wraps the consumer of a queue: each record is parsed and handled by itself, and only those that failed come again. */
import middy from '@middy/core';
import type { SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import type { TaskKey } from '../model/workflow.ts';
import { addToScope, withScope } from '../runtime/scope.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';

/** What every message says: whose it is, which task it is about, and the task's trace. */
type Message = TaskKey & { trace?: string };

/** Handles one record; `batch` is what it came with, the same value for all of them. */
type Run<Schema extends v.GenericSchema<unknown, Message>> = (
  message: v.InferOutput<Schema>,
  record: SQSRecord,
  batch: readonly SQSRecord[],
) => Promise<unknown>;

/**
 * A Lambda handler for an event source with partial batch responses. The records of a batch run side by side; one whose
 * body is no `Message`, or whose `run` throws, is received again until the queue moves it to its dead-letter queue.
 */
export const consumer = <const Schema extends v.GenericSchema<unknown, Message>>(
  Message: Schema,
  run: Run<Schema>,
) =>
  invocation(
    middy<SQSEvent, SQSBatchResponse>().handler(async ({ Records }) => {
      const outcomes = await Promise.all(
        Records.map((record) => withScope({}, () => consume(Message, run, record, Records))),
      );
      return { batchItemFailures: outcomes.flat() };
    }),
  );

/** Handles a record in its own scope; answers it if it failed. */
const consume = async <Schema extends v.GenericSchema<unknown, Message>>(
  Message: Schema,
  run: Run<Schema>,
  record: SQSRecord,
  batch: readonly SQSRecord[],
): Promise<SQSBatchItemFailure[]> => {
  try {
    const message = v.parse(Message, JSON.parse(record.body));
    // The invocation's own trace is the batch's.
    addToScope({ user_id: message.user_id, task_id: message.id, trace: message.trace });
    await run(message, record, batch);
    return [];
  } catch (error) {
    logFailure('A message failed', error, {
      message_id: record.messageId,
      receive_count: record.attributes.ApproximateReceiveCount,
    });
    return [{ itemIdentifier: record.messageId }];
  }
};
