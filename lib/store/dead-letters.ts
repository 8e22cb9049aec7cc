/** Crawl messages that broke at every receive: they lie in the dead-letter queue of the crawl queue until an operator redrives them. */
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

/** A message in hand: it is nobody else's until it is released, dropped or a minute has gone. */
export type DeadLetter = { message: CrawlMessage; receipt: string };

const holdSeconds = 60;

const RedrivePolicy = v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() }));
const Body = v.pipe(v.string(), v.parseJson(), CrawlMessage);

/** Where the crawl queue lays them, as it says itself; the two lie side by side. */
export const findDeadLetterQueue = async (): Promise<string> => {
  const QueueUrl = resource('CRAWL_QUEUE_URL');
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  const arn = v.parse(RedrivePolicy, Attributes?.RedrivePolicy).deadLetterTargetArn;
  return new URL(arn.split(':').at(-1) ?? '', QueueUrl).href;
};

/** Takes all that lie there in hand. What is no crawl message stays where it is. */
export const takeDeadLetters = async (queue: string): Promise<DeadLetter[]> => {
  const received: DeadLetter[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queue,
        MaxNumberOfMessages: 10,
        // Longer than a letter that was given back a moment ago stays out of sight.
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

/** Gives it back: others see it a second later. At 0 the queue of the embedded stack fails and loses it (fauxqs 2.4). */
export const releaseDeadLetter = async (queue: string, { receipt }: DeadLetter): Promise<void> => {
  await sqs.send(
    new ChangeMessageVisibilityCommand({ QueueUrl: queue, ReceiptHandle: receipt, VisibilityTimeout: 1 }),
  );
};

export const dropDeadLetter = async (queue: string, { receipt }: DeadLetter): Promise<void> => {
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queue, ReceiptHandle: receipt }));
};
