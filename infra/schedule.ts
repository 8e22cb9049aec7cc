/** The scheduled functions (`functions/schedule`). */
import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { PageBucket } from './bucket.ts';
import { megabytes, scheduleGroups, seconds } from './function-limits.ts';
import type { Queues } from './queues.ts';
import type { Secrets } from './secrets.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
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
  { crawl, keyword, postback, patient, missed }: Queues,
  { adsCredentials }: Secrets,
  /** The address of the gateway; null if it is not known yet. */
  ownUrl: string | null,
): void => {
  const scheduled = (name: string, props: Omit<ServiceFunctionProps, 'deadLetters' | 'isTraced'>) => {
    // X-Ray would record all of these calls, half a million a month, because they come one by one. Most of
    // them find nothing to do, and X-Ray records the work that the others begin.
    const untraced = { ...props, deadLetters: missed, isTraced: false };
    const made = new ServiceFunction(stack, `${name}Function`, untraced);
    Validations.of(made).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason:
        'A trace of each call would cost more than the calls themselves, and its log line says what a run did.',
    });
    // EventBridge invokes a function asynchronously, and Lambda would try a failed run twice more, some
    // minutes later. A missed run needs no retry: the next one does its work.
    made.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(60) });
    Validations.of(made.node.findChild('EventInvokeConfig')).acknowledge({
      id: 'Serverless-LambdaAsyncFailureDestination',
      reason:
        'The function has a dead-letter queue, which gets the events that failed, and whose alarm tells an operator of them.',
    });
    return made;
  };

  const sweepTasks = scheduled('SweepTasks', {
    entry: 'functions/schedule/sweep-tasks.ts',
    timeoutSeconds: seconds.sweepTasks,
    memoryMegabytes: megabytes.sweeper,
    settings: ['TASK_DEADLINE'],
  })
    .bind(tasks, 'sweep')
    .bind(crawl, 'send', 'count')
    .bind(keyword, 'send', 'count')
    .bind(postback, 'send', 'count')
    .bind(patient, 'count');

  const planSearches = scheduled('PlanSearches', {
    entry: 'functions/schedule/plan-searches.ts',
    timeoutSeconds: seconds.planSearches,
    memoryMegabytes: megabytes.planner,
    settings: ['PUBLIC_URL', 'TASK_DEADLINE'],
    beside: { data: ['lib/place/places.txt'] },
  })
    .bind(users, 'read')
    .bind(tracking, 'get', 'query', 'queryIndex', 'put', 'update', 'delete')
    .bind(tasks, 'createReserved')
    .bind(crawl, 'send');

  const recordResults = scheduled('RecordResults', {
    entry: 'functions/schedule/record-results.ts',
    timeoutSeconds: seconds.recordResults,
    memoryMegabytes: megabytes.planner,
    settings: ['PUBLIC_URL', 'TASK_DEADLINE'],
    beside: { data: ['lib/place/places.txt'] },
  })
    .bind(users, 'read')
    .bind(tracking, 'get', 'query', 'queryIndex', 'put', 'update', 'delete', 'writeMany')
    .bind(tasks, 'read', 'readMany', 'putResult')
    .bind(bucket, 'readResults')
    .bind(crawl, 'send');

  const finishProjects = scheduled('FinishProjects', {
    entry: 'functions/schedule/finish-projects.ts',
    timeoutSeconds: seconds.finishProjects,
    memoryMegabytes: megabytes.consumer,
    settings: [],
  }).bind(tracking, 'get', 'getMany', 'query', 'put', 'delete', 'writeMany');

  const sendAlerts = scheduled('SendAlerts', {
    entry: 'functions/schedule/send-alerts.ts',
    timeoutSeconds: seconds.sendAlerts,
    memoryMegabytes: megabytes.alerts,
    settings: ['PUBLIC_URL'],
  })
    .bind(users, 'read')
    .bind(tracking, 'get', 'getMany', 'queryIndex', 'update', 'delete', 'writeMany')
    .bind(tasks, 'reserve', 'putResult')
    .bind(bucket, 'readAlerts', 'writeAlerts')
    .bind(postback, 'send');

  const lookUpVolumes = scheduled('LookUpVolumes', {
    entry: 'functions/schedule/look-up-volumes.ts',
    timeoutSeconds: seconds.lookUpVolumes,
    memoryMegabytes: megabytes.keyword,
    settings: [...adsSettings],
  })
    .bind(tracking, 'get', 'queryIndex', 'put', 'update')
    .bind(pace, 'turn')
    .bind(metrics, 'use')
    .bind(adsCredentials, 'read');

  if (ownUrl && !environmentOf(stack).PUBLIC_URL) {
    for (const each of [planSearches, recordResults, sendAlerts]) each.addEnvironment('PUBLIC_URL', ownUrl);
  }

  // Nor does EventBridge try to invoke a function again.
  const target = (each: ServiceFunction, event?: RuleTargetInput) =>
    new LambdaFunction(each, { retryAttempts: 0, deadLetterQueue: missed, ...(event && { event }) });
  const run = (id: string, description: string, schedule: Schedule, ...targets: LambdaFunction[]) =>
    new Rule(stack, id, { description, schedule, targets });

  // A rule has at most five targets.
  const inGroups = (each: ServiceFunction) =>
    scheduleGroups.map((shards) => target(each, RuleTargetInput.fromObject({ shards })));

  run(
    'EveryMinute',
    'Queues tasks again that have been unfinished for too long',
    everyMinute,
    target(sweepTasks),
  );
  run(
    'PlanEveryMinute',
    'Begins the crawls of tracked searches that are due',
    everyMinute,
    ...inGroups(planSearches),
  );
  run(
    'RecordEveryMinute',
    'Records the results of crawls of tracked searches',
    everyMinute,
    ...inGroups(recordResults),
  );
  run(
    'FinishEveryMinute',
    'Finishes work on projects that a request has begun and not finished',
    everyMinute,
    target(finishProjects),
  );
  run('AlertEveryFiveMinutes', 'Sends the alerts of projects', everyFiveMinutes, target(sendAlerts));
  run(
    'VolumesEveryFiveMinutes',
    'Looks up the volumes of tracked keywords',
    everyFiveMinutes,
    target(lookUpVolumes),
  );
};
