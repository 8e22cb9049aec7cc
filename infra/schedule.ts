/** The scheduled functions (`functions/schedule`). */
import { Duration, type Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { PageBucket } from './bucket.ts';
import { megabytes, scheduleGroups, seconds } from './function-limits.ts';
import type { Queues } from './queues.ts';
import type { Secrets } from './secrets.ts';
import { ServiceFunction } from './service-function.ts';
import { adsSettings } from './setting-groups.ts';
import { environmentOf } from './stages.ts';
import type { Tables } from './tables.ts';

const everyMinute = Schedule.rate(Duration.minutes(1));

/** Often enough that an alert is on time, and that a new keyword has its volumes soon. */
const everyFiveMinutes = Schedule.rate(Duration.minutes(5));

export const makeSchedule = (
  stack: Stack,
  { users, tasks, tracking, pace, metrics }: Tables,
  bucket: PageBucket,
  { crawl, keyword, postback, missed }: Queues,
  { adsCredentials }: Secrets,
  /** The address of the gateway on an emulator; null on AWS. */
  ownUrl: string | null,
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
    schedule: everyMinute,
    // A missed sweep needs no retry: the next one, a minute later, does its work.
    targets: [new LambdaFunction(sweepTasks, { retryAttempts: 0, deadLetterQueue: missed })],
  });

  const planSearches = new ServiceFunction(stack, 'PlanSearchesFunction', {
    entry: 'functions/schedule/plan-searches.ts',
    timeoutSeconds: seconds.planSearches,
    memoryMegabytes: megabytes.planner,
    settings: ['PUBLIC_URL', 'TASK_DEADLINE'],
    deadLetters: missed,
    beside: { data: ['lib/place/places.txt'] },
  })
    .bind(users, 'read')
    .bind(tracking, 'get', 'query', 'queryIndex', 'put', 'update', 'delete')
    .bind(tasks, 'createReserved')
    .bind(crawl, 'send');

  const recordResults = new ServiceFunction(stack, 'RecordResultsFunction', {
    entry: 'functions/schedule/record-results.ts',
    timeoutSeconds: seconds.recordResults,
    memoryMegabytes: megabytes.planner,
    settings: ['PUBLIC_URL', 'TASK_DEADLINE'],
    deadLetters: missed,
    beside: { data: ['lib/place/places.txt'] },
  })
    .bind(tracking, 'get', 'query', 'queryIndex', 'put', 'update', 'delete', 'writeMany')
    .bind(tasks, 'read', 'readMany', 'putResult')
    .bind(bucket, 'readResults')
    .bind(crawl, 'send');

  const finishProjects = new ServiceFunction(stack, 'FinishProjectsFunction', {
    entry: 'functions/schedule/finish-projects.ts',
    timeoutSeconds: seconds.finishProjects,
    memoryMegabytes: megabytes.consumer,
    settings: [],
    deadLetters: missed,
  }).bind(tracking, 'get', 'query', 'delete', 'writeMany');

  const sendAlerts = new ServiceFunction(stack, 'SendAlertsFunction', {
    entry: 'functions/schedule/send-alerts.ts',
    timeoutSeconds: seconds.sendAlerts,
    memoryMegabytes: megabytes.alerts,
    settings: ['PUBLIC_URL'],
    deadLetters: missed,
  })
    .bind(tracking, 'get', 'getMany', 'queryIndex', 'update', 'delete', 'writeMany')
    .bind(tasks, 'reserve', 'putResult')
    .bind(bucket, 'readAlerts', 'writeAlerts')
    .bind(postback, 'send');

  const lookUpVolumes = new ServiceFunction(stack, 'LookUpVolumesFunction', {
    entry: 'functions/schedule/look-up-volumes.ts',
    timeoutSeconds: seconds.lookUpVolumes,
    memoryMegabytes: megabytes.keyword,
    settings: [...adsSettings],
    deadLetters: missed,
  })
    .bind(tracking, 'get', 'queryIndex', 'put', 'update')
    .bind(pace, 'turn')
    .bind(metrics, 'use')
    .bind(adsCredentials, 'read');

  if (ownUrl && !environmentOf(stack).PUBLIC_URL) {
    for (const each of [planSearches, recordResults, sendAlerts]) each.addEnvironment('PUBLIC_URL', ownUrl);
  }

  // A rule has at most five targets.
  const inGroups = (each: ServiceFunction) =>
    scheduleGroups.map(
      (shards) =>
        new LambdaFunction(each, {
          event: RuleTargetInput.fromObject({ shards }),
          retryAttempts: 0,
          deadLetterQueue: missed,
        }),
    );
  new Rule(stack, 'PlanEveryMinute', {
    description: 'Begins the crawls of tracked searches that are due',
    schedule: everyMinute,
    targets: inGroups(planSearches),
  });
  new Rule(stack, 'RecordEveryMinute', {
    description: 'Records the results of crawls of tracked searches',
    schedule: everyMinute,
    targets: inGroups(recordResults),
  });
  new Rule(stack, 'FinishEveryMinute', {
    description: 'Finishes work on projects that a request has begun and not finished',
    schedule: everyMinute,
    targets: [new LambdaFunction(finishProjects, { retryAttempts: 0, deadLetterQueue: missed })],
  });
  new Rule(stack, 'AlertEveryFiveMinutes', {
    description: 'Sends the alerts of projects',
    schedule: everyFiveMinutes,
    targets: [new LambdaFunction(sendAlerts, { retryAttempts: 0, deadLetterQueue: missed })],
  });
  new Rule(stack, 'VolumesEveryFiveMinutes', {
    description: 'Looks up the volumes of tracked keywords',
    schedule: everyFiveMinutes,
    targets: [new LambdaFunction(lookUpVolumes, { retryAttempts: 0, deadLetterQueue: missed })],
  });
};
