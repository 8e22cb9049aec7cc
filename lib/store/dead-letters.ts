/** Crawl messages that failed at every receive. They stay in the dead-letter queue of the crawl queue until an operator redrives them. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { CrawlMessage } from '../model/workflow.ts';
import { sqs } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';

/** A received message. Nobody else receives it until it is released or deleted, or until a minute has passed. */
export type DeadLetter = { message: CrawlMessage; receipt: string };

const holdSeconds = 60;

const RedrivePolicy = v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() }));
const Body = v.pipe(v.string(), v.parseJson(), CrawlMessage);

/** Returns the URL of the dead-letter queue that the redrive policy of the crawl queue names. Both are in the same account and region. */
export const findDeadLetterQueue = async (): Promise<string> => {
  const QueueUrl = resource('CRAWL_QUEUE_URL');
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  const arn = v.parse(RedrivePolicy, Attributes?.RedrivePolicy).deadLetterTargetArn;
  return new URL(arn.split(':').at(-1) ?? '', QueueUrl).href;
};

/** Receives all crawl messages of the dead-letter queue. Other messages stay in the queue. */
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
