/** The queues. Each has a dead-letter queue, and each dead-letter queue has an alarm. */
import { CfnOutput, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { crawlReceives, keywordReceives } from '../lib/task/timing.ts';
import { alarmOnMessages } from './alarm.ts';
import { postbackReceives, seconds } from './function-limits.ts';
import { type Resource, resource } from './resource.ts';

type WorkQueue = Resource<'send' | 'count'> & { queue: Queue };

export type Queues = {
  crawl: WorkQueue;
  keyword: WorkQueue;
  postback: WorkQueue;
  patient: WorkQueue;
  parked: WorkQueue;
  /** Scheduled calls that failed or could not be made. */
  missed: Queue;
};

/** SQS keeps nothing longer; dead letters must outlast a holiday. */
const deadLetterRetention = Duration.days(14);

const encrypted = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

export const makeQueues = (stack: Stack): Queues => {
  const deadLetters = (name: string, section: string): Queue => {
    const queue = new Queue(stack, name, { ...encrypted, retentionPeriod: deadLetterRetention });
    alarmOnMessages(queue, section);
    for (const id of ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy']) {
      Validations.of(queue).acknowledge({
        id,
        reason:
          'It is a dead-letter queue itself: its messages have failed for the last time, raise an alarm and wait for an operator.',
      });
    }
    return queue;
  };
  const workQueue = (variable: string, queue: Queue): WorkQueue => {
    new CfnOutput(stack, `${queue.node.id}Url`, { value: queue.queueUrl });
    return {
      queue,
      ...resource(variable, queue.queueUrl, {
        send: [{ actions: ['sqs:SendMessage'], on: [queue.queueArn] }],
        count: [{ actions: ['sqs:GetQueueAttributes'], on: [queue.queueArn] }],
      }),
    };
  };

  const crawl = new Queue(stack, 'CrawlQueue', {
    ...encrypted,
    visibilityTimeout: Duration.seconds(seconds.crawlVisibility),
    deadLetterQueue: {
      queue: deadLetters('CrawlDeadLetters', 'crawl-dead-letters'),
      maxReceiveCount: crawlReceives,
    },
  });
  const keyword = new Queue(stack, 'KeywordQueue', {
    ...encrypted,
    visibilityTimeout: Duration.seconds(seconds.keywordVisibility),
    deadLetterQueue: {
      queue: deadLetters('KeywordDeadLetters', 'keyword-dead-letters'),
      maxReceiveCount: keywordReceives,
    },
  });
  const deliveries = {
    ...encrypted,
    visibilityTimeout: Duration.seconds(seconds.postbackVisibility),
    deadLetterQueue: {
      queue: deadLetters('PostbackDeadLetters', 'postback-dead-letters'),
      maxReceiveCount: postbackReceives,
    },
  };
  const postback = new Queue(stack, 'PostbackQueue', deliveries);
  // Deliveries of users with slow receivers wait here, so that they delay only each other.
  const patient = new Queue(stack, 'PatientPostbackQueue', deliveries);
  // Reading 35: the function ParkDelivery sends a delivery here after five failed attempts.
  const parked = deadLetters('ParkedDeliveries', 'parked-deliveries');
  return {
    crawl: workQueue('CRAWL_QUEUE_URL', crawl),
    keyword: workQueue('KEYWORD_QUEUE_URL', keyword),
    postback: workQueue('POSTBACK_QUEUE_URL', postback),
    patient: workQueue('PATIENT_QUEUE_URL', patient),
    parked: workQueue('PARKED_QUEUE_URL', parked),
    missed: deadLetters('ScheduleDeadLetters', 'schedule-dead-letters'),
  };
};
