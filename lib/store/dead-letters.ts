/**
 * Messages that failed at every receive. They stay in a dead-letter queue until an operator redrives them.
 */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../runtime/aws.ts';

/**
 * A received message. Nobody else receives it until it is released or deleted, or until a minute has passed.
 */
type DeadLetter = { body: string; receipt: string };

const holdSeconds = 60;

/** Receives all messages from the dead-letter queue. */
export const takeDeadLetters = async (queue: string): Promise<DeadLetter[]> => {
  const received: DeadLetter[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queue,
        MaxNumberOfMessages: 10,
        // Longer than a message that was just released stays hidden.
        WaitTimeSeconds: 2,
        VisibilityTimeout: holdSeconds,
      }),
    );
    if (Messages.length === 0) return received;
    for (const { Body: body = '', ReceiptHandle } of Messages) {
      if (ReceiptHandle) received.push({ body, receipt: ReceiptHandle });
    }
  }
};

/**
 * Makes the message visible again after a second. With 0, the embedded stack's queue fails and loses the
 * message (fauxqs 2.4).
 */
export const releaseDeadLetter = async (queue: string, { receipt }: DeadLetter): Promise<void> => {
  await sqs.send(
    new ChangeMessageVisibilityCommand({ QueueUrl: queue, ReceiptHandle: receipt, VisibilityTimeout: 1 }),
  );
};

export const dropDeadLetter = async (queue: string, { receipt }: DeadLetter): Promise<void> => {
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queue, ReceiptHandle: receipt }));
};
