/** The scheduled functions (`functions/schedule`). */
import { Duration, type Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { megabytes, seconds } from './function-limits.ts';
import type { Queues } from './queues.ts';
import { ServiceFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

export const makeSchedule = (
  stack: Stack,
  { tasks }: Tables,
  { crawl, keyword, postback, missed }: Queues,
): void => {
  const sweepTasks = new ServiceFunction(stack, 'SweepTasksFunction', {
    entry: 'functions/schedule/sweep-tasks.ts',
    timeoutSeconds: seconds.sweepTasks,
    memoryMegabytes: megabytes.sweeper,
    settings: ['TASK_DEADLINE'],
    deadLetters: missed,
  })
    .bind(tasks, 'sweep')
    .bind(crawl, 'send', 'count')
    .bind(keyword, 'send', 'count')
    .bind(postback, 'send');

  new Rule(stack, 'EveryMinute', {
    description: 'Queues tasks again that have been unfinished for too long',
    schedule: Schedule.rate(Duration.minutes(1)),
    // A missed sweep needs no retry: the next one, a minute later, does its work.
    targets: [new LambdaFunction(sweepTasks, { retryAttempts: 0, deadLetterQueue: missed })],
  });
};
