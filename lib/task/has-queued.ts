/** Whether messages wait in the queues, by the approximate counts of SQS. */
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import type { TaskKind } from '../store/task-row.ts';
import { kinds } from './kinds.ts';

const hasMessages = async (queue: string): Promise<boolean> => {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: queue,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages) > 0;
};

/** What a message is about: a task of a kind, or a webhook. */
export type QueuedWork = TaskKind | 'delivery';

/** Whether messages about such work wait in a queue. */
export const hasQueued = async (work: QueuedWork): Promise<boolean> => {
  if (work !== 'delivery') return hasMessages(resource(kinds[work].queue));
  const queues = [resource('POSTBACK_QUEUE_URL'), resource('PATIENT_QUEUE_URL')];
  return (await Promise.all(queues.map(hasMessages))).includes(true);
};
