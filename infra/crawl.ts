/** The crawl: the functions of its steps (`functions/crawl`), its machine, and the consumer that runs the machine for each message. */
import { type Stack, Validations } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { engineSettings } from '../lib/model/settings.ts';
import type { PageBucket } from './bucket.ts';
import { crawlDefinition } from './crawl-definition.ts';
import { batchSize, megabytes, seconds } from './function-limits.ts';
import type { Parameters } from './parameters.ts';
import type { Queues } from './queues.ts';
import { resource } from './resource.ts';
import type { Secrets } from './secrets.ts';
import { ServiceFunction } from './service-function.ts';
import { settingsOf } from './stages.ts';
import { makeMachine } from './state-machine.ts';
import type { Tables } from './tables.ts';

export const makeCrawl = (
  stack: Stack,
  { users, tasks, snapshots, pace }: Tables,
  bucket: PageBucket,
  { crawl: crawlQueue, postback: postbackQueue }: Queues,
  { proxyUrl, proxyCa, upstreamCredentials }: Secrets,
  { fetchers }: Parameters,
): void => {
  const planPages = new ServiceFunction(stack, 'PlanPagesFunction', {
    entry: 'functions/crawl/plan-pages.ts',
    timeoutSeconds: seconds.planPages,
    memoryMegabytes: megabytes.consumer,
    settings: [
      'SEARCH_SOURCE',
      ...engineSettings('ORIGIN'),
      'UPSTREAM_ORIGIN',
      'SANDBOX_MISFORTUNE',
      'TASK_DEADLINE',
    ],
  })
    .bind(tasks, 'write')
    .bind(snapshots, 'read')
    .bind(bucket, 'readHtml');

  const fetchPage = new ServiceFunction(stack, 'FetchPageFunction', {
    entry: 'functions/crawl/fetch-page.ts',
    timeoutSeconds: seconds.fetchPage,
    memoryMegabytes: megabytes.fetchPage,
    settings: [
      'SEARCH_SOURCE',
      ...engineSettings('ORIGIN'),
      ...engineSettings('RATE'),
      'UPSTREAM_ORIGIN',
      'RESOLVE_LINKS',
      'SANDBOX_MISFORTUNE',
    ],
  })
    .bind(tasks, 'read')
    .bind(snapshots, 'put')
    .bind(pace, 'turn')
    .bind(bucket, 'writeHtml')
    .bind(proxyUrl, 'read')
    .bind(proxyCa, 'read')
    .bind(upstreamCredentials, 'read')
    .bind(fetchers, 'read');

  const renderPage = new ServiceFunction(stack, 'RenderPageFunction', {
    entry: 'functions/crawl/render-page.ts',
    timeoutSeconds: seconds.renderPage,
    memoryMegabytes: megabytes.renderPage,
    settings: [
      'SEARCH_SOURCE',
      ...engineSettings('ORIGIN'),
      ...engineSettings('RATE'),
      'UPSTREAM_ORIGIN',
      'RESOLVE_LINKS',
      'SANDBOX_MISFORTUNE',
    ],
    // The Chromium package is built for x86_64 only. It unpacks itself at the first page.
    architecture: Architecture.X86_64,
    files: { from: '@sparticuz/chromium', names: ['package.json', 'bin'], code: 'bundled' },
  })
    .bind(tasks, 'read')
    .bind(snapshots, 'put')
    .bind(pace, 'turn')
    .bind(bucket, 'writeHtml')
    .bind(proxyUrl, 'read')
    .bind(proxyCa, 'read')
    .bind(upstreamCredentials, 'read')
    .bind(fetchers, 'read');

  const postSearch = new ServiceFunction(stack, 'PostSearchFunction', {
    entry: 'functions/crawl/post-search.ts',
    timeoutSeconds: seconds.postSearch,
    memoryMegabytes: megabytes.consumer,
    settings: ['UPSTREAM_ORIGIN', 'UPSTREAM_DEADLINE', 'TASK_DEADLINE'],
    data: ['lib/place/places.txt'],
  })
    .bind(tasks, 'write')
    .bind(users, 'read')
    .bind(pace, 'turn')
    .bind(upstreamCredentials, 'read')
    .bind(fetchers, 'read');

  const collectPages = new ServiceFunction(stack, 'CollectPagesFunction', {
    entry: 'functions/crawl/collect-pages.ts',
    timeoutSeconds: seconds.collectPages,
    memoryMegabytes: megabytes.collectPages,
    settings: [
      'SEARCH_SOURCE',
      ...engineSettings('ORIGIN'),
      'UPSTREAM_ORIGIN',
      'RESOLVE_LINKS',
      'SANDBOX_MISFORTUNE',
    ],
  })
    .bind(tasks, 'write')
    .bind(snapshots, 'put')
    .bind(pace, 'turn')
    .bind(bucket, 'writeHtml')
    .bind(proxyUrl, 'read')
    .bind(proxyCa, 'read')
    .bind(upstreamCredentials, 'read')
    .bind(fetchers, 'read');

  const parseTask = new ServiceFunction(stack, 'ParseTaskFunction', {
    entry: 'functions/crawl/parse-task.ts',
    timeoutSeconds: seconds.parseTask,
    memoryMegabytes: megabytes.parseTask,
    settings: [],
  })
    .bind(tasks, 'write', 'putResult')
    .bind(snapshots, 'read', 'put')
    .bind(bucket, 'readHtml', 'writeResults');

  const machine = makeMachine(stack, 'CrawlMachine', {
    // STANDARD would cost seven times as much as the rest of a task.
    type: StateMachineType.EXPRESS,
    timeoutSeconds: seconds.run,
    logLevel: LogLevel.ERROR,
    define: (scope, invoke) => crawlDefinition(scope, invoke, settingsOf(stack).pagesInParallel),
    functions: {
      PlanPages: planPages,
      FetchPage: fetchPage,
      RenderPage: renderPage,
      PostSearch: postSearch,
      CollectPages: collectPages,
      ParseTask: parseTask,
    },
  });
  Validations.of(machine).acknowledge({
    id: 'AwsSolutions-SF1',
    reason:
      'Logging every state of every run would cost more than the runs. Failed runs are logged completely, all runs are traced, ' +
      'and the row of the task records the outcome of a successful run.',
  });

  new ServiceFunction(stack, 'StartCrawlFunction', {
    entry: 'functions/crawl/start-crawl.ts',
    timeoutSeconds: seconds.startCrawl,
    memoryMegabytes: megabytes.consumer,
    settings: [
      'SEARCH_SOURCE',
      ...engineSettings('ORIGIN'),
      ...engineSettings('RATE'),
      'UPSTREAM_ORIGIN',
      'SANDBOX_MISFORTUNE',
      'TASK_DEADLINE',
    ],
    // A task that waits for its engine is queued again until its deadline.
    sendsToItself: true,
  })
    .bind(
      resource('CRAWL_MACHINE_ARN', machine.stateMachineArn, {
        run: [{ actions: ['states:StartSyncExecution'], on: [machine.stateMachineArn] }],
      }),
      'run',
    )
    .bind(tasks, 'write')
    .bind(pace, 'turn')
    .bind(fetchers, 'read')
    .bind(snapshots, 'read')
    .bind(bucket, 'readHtml')
    .bind(crawlQueue, 'send')
    .bind(postbackQueue, 'send')
    .consume(crawlQueue.queue, {
      batchSize,
      windowSeconds: 0,
      maxConcurrency: settingsOf(stack).crawlConcurrency,
    });
};
