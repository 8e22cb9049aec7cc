/** The queues, each with its dead-letter queue, and each of those with its alarm. */
import { CfnOutput, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { crawlReceives } from '../lib/task/timing.ts';
import { alarmOnMessages } from './alarms.ts';
import { postbackReceives, seconds } from './function-limits.ts';
import { type Resource, resource } from './resource.ts';

export type WorkQueue = Resource<'send'> & { queue: Queue };

export type Queues = {
  crawl: WorkQueue;
  postback: WorkQueue;
  patient: WorkQueue;
  parked: WorkQueue;
  /** Calls by the clock that were never made, or failed. */
  missed: Queue;
};

/** SQS keeps nothing longer; dead letters must outlast a holiday. */
const deadLetterRetention = Duration.days(14);

const locked = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

export const makeQueues = (stack: Stack): Queues => {
  const deadLetters = (name: string, section: string): Queue => {
    const queue = new Queue(stack, name, { ...locked, retentionPeriod: deadLetterRetention });
    alarmOnMessages(queue, section);
    for (const id of ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy']) {
      Validations.of(queue).acknowledge({
        id,
        reason:
          'It is a dead-letter queue itself: what lies here has failed for good, rings an alarm and waits for a person.',
      });
    }
    return queue;
  };
  const usable = (variable: string, queue: Queue): WorkQueue => {
    new CfnOutput(stack, `${queue.node.id}Url`, { value: queue.queueUrl });
    return {
      queue,
      ...resource(variable, queue.queueUrl, {
        send: [{ actions: ['sqs:SendMessage'], on: [queue.queueArn] }],
      }),
    };
  };

  const crawl = new Queue(stack, 'CrawlQueue', {
    ...locked,
    visibilityTimeout: Duration.seconds(seconds.crawlVisibility),
    deadLetterQueue: {
      queue: deadLetters('CrawlDeadLetters', 'crawl-dead-letters'),
      maxReceiveCount: crawlReceives,
    },
  });
  const deliveries = {
    ...locked,
    visibilityTimeout: Duration.seconds(seconds.postbackVisibility),
    deadLetterQueue: {
      queue: deadLetters('PostbackDeadLetters', 'postback-dead-letters'),
      maxReceiveCount: postbackReceives,
    },
  };
  const postback = new Queue(stack, 'PostbackQueue', deliveries);
  // Deliveries of users whose receivers are slow wait here for each other, and for nobody else.
  const patient = new Queue(stack, 'PatientPostbackQueue', deliveries);
  // Reading 35: a delivery that failed five times lies here, put by name.
  const parked = deadLetters('ParkedDeliveries', 'parked-deliveries');
  return {
    crawl: usable('CRAWL_QUEUE_URL', crawl),
    postback: usable('POSTBACK_QUEUE_URL', postback),
    patient: usable('PATIENT_QUEUE_URL', patient),
    parked: usable('PARKED_QUEUE_URL', parked),
    missed: deadLetters('ScheduleDeadLetters', 'schedule-dead-letters'),
  };
};
