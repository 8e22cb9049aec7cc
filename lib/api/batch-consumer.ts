/** Wraps the consumer of a queue that handles the messages of a batch together. */
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as v from 'valibot';
import type { TaskKey } from '../model/workflow.ts';
import { withScope } from '../runtime/scope.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';
import { type LaterMessage, readMessage } from './read-message.ts';

/** A message, the number of times that it was received, and its name in the batch. */
export type Received<Message> = { message: Message; receives: number; messageId: string };

/**
 * A Lambda handler for an event source with partial batch responses. `run` gets all messages of a batch, and
 * returns those that the queue shall deliver again. If `run` throws, the queue delivers all of them again. A
 * body that is not a valid `Message` fails alone. `postpone` gets a message that only a later release can
 * read.
 */
export const batchConsumer = <const Schema extends v.GenericSchema<unknown, TaskKey>>(
  Message: Schema,
  run: (batch: readonly Received<v.InferOutput<Schema>>[]) => Promise<readonly { messageId: string }[]>,
  postpone: (later: LaterMessage) => Promise<unknown>,
) =>
  invocation(
    middy<SQSEvent, SQSBatchResponse>().handler(async ({ Records }) => {
      const parsed = await Promise.all(
        Records.map((record) => withScope({}, () => read(Message, record, postpone))),
      );
      const batch = parsed.flatMap((each) => (each && 'message' in each ? each : []));
      const failed = await withScope({}, () => runAll(batch, run));
      const invalid = parsed.flatMap((each) => (each && !('message' in each) ? each : []));
      return {
        batchItemFailures: [...invalid, ...failed].map(({ messageId }) => ({ itemIdentifier: messageId })),
      };
    }),
  );

const aboutRecord = ({ messageId, attributes }: SQSRecord) => ({
  message_id: messageId,
  receive_count: attributes.ApproximateReceiveCount,
});

/** The message of a record; only its name if it cannot be read; null if it was postponed. */
const read = async <Schema extends v.GenericSchema<unknown, TaskKey>>(
  Message: Schema,
  record: SQSRecord,
  postpone: (later: LaterMessage) => Promise<unknown>,
): Promise<Received<v.InferOutput<Schema>> | { messageId: string } | null> => {
  const { messageId, attributes } = record;
  try {
    const found = readMessage(Message, record.body);
    if ('later' in found) {
      await postpone(found.later);
      return null;
    }
    const { message } = found;
    return { message, receives: Number(attributes.ApproximateReceiveCount), messageId };
  } catch (error) {
    logFailure('A message failed', error, aboutRecord(record));
    return { messageId };
  }
};

const runAll = async <Message>(
  batch: readonly Received<Message>[],
  run: (batch: readonly Received<Message>[]) => Promise<readonly { messageId: string }[]>,
): Promise<readonly { messageId: string }[]> => {
  try {
    return batch.length > 0 ? await run(batch) : [];
  } catch (error) {
    logFailure('A batch failed', error, { messages: batch.length });
    return batch;
  }
};
