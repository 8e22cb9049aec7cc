/** Messages of tasks that failed at every receive. They stay in the dead-letter queue of their queue until an operator redrives them. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { TaskKey } from '../model/workflow.ts';
import { sqs } from '../runtime/aws.ts';
import { type ResourceName, resource } from '../runtime/env.ts';

/** A received message. Nobody else receives it until it is released or deleted, or until a minute has passed. */
export type DeadLetter = { message: TaskKey & { more: number[] }; receipt: string };

const holdSeconds = 60;

const RedrivePolicy = v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() }));
/** A keyword message has several tasks: `more` are the ids of the others. */
const Message = v.object({ ...TaskKey.entries, more: v.optional(v.array(v.number()), []) });
const Body = v.pipe(v.string(), v.parseJson(), Message);

/** Returns the URL of the dead-letter queue that the redrive policy of a queue names. Both are in the same account and region. */
export const findDeadLetterQueue = async (queue: ResourceName): Promise<string> => {
  const QueueUrl = resource(queue);
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  const arn = v.parse(RedrivePolicy, Attributes?.RedrivePolicy).deadLetterTargetArn;
  return new URL(arn.split(':').at(-1) ?? '', QueueUrl).href;
};

/** Receives all messages of tasks from the dead-letter queue. Other messages stay in the queue. */
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
    for (const { Body: body, ReceiptHandle } of Messages) {
      const { success, output } = v.safeParse(Body, body);
      if (success && ReceiptHandle) received.push({ message: output, receipt: ReceiptHandle });
    }
  }
};

/** Makes the message visible again after a second. With 0, the embedded stack's queue fails and loses the message (fauxqs 2.4). */
export const releaseDeadLetter = async (queue: string, { receipt }: DeadLetter): Promise<void> => {
  await sqs.send(
    new ChangeMessageVisibilityCommand({ QueueUrl: queue, ReceiptHandle: receipt, VisibilityTimeout: 1 }),
  );
};

export const dropDeadLetter = async (queue: string, { receipt }: DeadLetter): Promise<void> => {
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queue, ReceiptHandle: receipt }));
};
