/**
 * Wraps the consumer of a queue. Parses and handles each record separately, so that SQS redelivers only the
 * failed ones.
 */
import middy from '@middy/core';
import type { SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as v from 'valibot';
import type { TaskKey } from '../model/workflow.ts';
import { addToScope, withScope } from '../runtime/scope.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';
import { type LaterMessage, readMessage } from './read-message.ts';

/** The fields of every message: the user, the task and the task's trace. */
type Message = TaskKey & { trace?: string };

/**
 * Handles one record. `batch` contains all records of the invocation, and is the same object for each of
 * them.
 */
type Run<Schema extends v.GenericSchema<unknown, Message>> = (
  message: v.InferOutput<Schema>,
  record: SQSRecord,
  batch: readonly SQSRecord[],
) => Promise<unknown>;

/**
 * A Lambda handler for an event source with partial batch responses. The records of a batch run concurrently.
 * If a body is not a valid `Message`, or `run` throws, the queue delivers that record again, and finally
 * moves it to its dead-letter queue. `postpone` gets a message that only a later release can read.
 */
export const consumer = <const Schema extends v.GenericSchema<unknown, Message>>(
  Message: Schema,
  run: Run<Schema>,
  postpone?: (later: LaterMessage) => Promise<unknown>,
) =>
  invocation(
    middy<SQSEvent, SQSBatchResponse>().handler(async ({ Records }) => {
      const outcomes = await Promise.all(
        Records.map((record) => withScope({}, () => consume(Message, run, record, Records, postpone))),
      );
      return { batchItemFailures: outcomes.flat() };
    }),
  );

/** Handles a record in its own log scope. Returns the record as a failure if it failed. */
const consume = async <Schema extends v.GenericSchema<unknown, Message>>(
  Message: Schema,
  run: Run<Schema>,
  record: SQSRecord,
  batch: readonly SQSRecord[],
  postpone: ((later: LaterMessage) => Promise<unknown>) | undefined,
): Promise<SQSBatchItemFailure[]> => {
  try {
    const read = readMessage(Message, record.body);
    if ('later' in read) {
      if (!postpone) throw new Error('A later release has sent the message');
      await postpone(read.later);
      return [];
    }
    const { message } = read;
    // The trace of the invocation belongs to the whole batch, so use the trace of the message.
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
