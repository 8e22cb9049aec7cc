/** Counts the messages of the queues, by the approximate counts of SQS. */
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';

const queues = {
  crawl: resource('CRAWL_QUEUE_URL'),
  keyword: resource('KEYWORD_QUEUE_URL'),
  postback: resource('POSTBACK_QUEUE_URL'),
  patient: resource('PATIENT_QUEUE_URL'),
  parked: resource('PARKED_QUEUE_URL'),
};
export type QueueName = keyof typeof queues;

export const queueNames = Object.keys(queues) as QueueName[];

/** The messages of a queue that can be received, wait for their time, and are being processed. */
export const countQueue = async (
  name: QueueName,
): Promise<{ waiting: number; delayed: number; in_progress: number }> => {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: queues[name],
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesDelayed',
        'ApproximateNumberOfMessagesNotVisible',
      ],
    }),
  );
  return {
    waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
    delayed: Number(Attributes?.ApproximateNumberOfMessagesDelayed ?? 0),
    in_progress: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
};
