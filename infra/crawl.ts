/**
 * The crawl: the functions of its steps (`functions/crawl`), its machine, and the consumer that claims the
 * task of each message and runs the machine.
 */
import { type Stack, Validations } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { PageBucket } from './bucket.ts';
import { crawlDefinition } from './crawl-definition.ts';
import { batchSize, megabytes, seconds } from './function-limits.ts';
import type { Parameters } from './parameters.ts';
import type { Queues } from './queues.ts';
import { type Resource, resource } from './resource.ts';
import type { Secrets } from './secrets.ts';
import { ServiceFunction } from './service-function.ts';
import { fetcherSettings, turnSettings } from './setting-groups.ts';
import { settingsOf } from './stages.ts';
import { makeMachine } from './state-machine.ts';
import type { Tables } from './tables.ts';

export const makeCrawl = (
  stack: Stack,
  { users, tasks, snapshots, pace, limits }: Tables,
  bucket: PageBucket,
  { crawl: crawlQueue, postback: postbackQueue }: Queues,
  { proxyUrl, proxyCa, upstreamCredentials }: Secrets,
  { fetchers }: Parameters,
): { machine: Resource<'run'> } => {
  /** Lets a function fetch pages: in turn with all others, through the proxies or from the provider. */
  const canFetch = (each: ServiceFunction): ServiceFunction =>
    each.bind(pace, 'turn').bind(proxyUrl, 'read').bind(proxyCa, 'read').bind(fetchers, 'read');

  const fetching = (name: 'FetchPage' | 'FetchPages', file: 'fetch-page' | 'fetch-pages'): ServiceFunction =>
    canFetch(
      new ServiceFunction(stack, `${name}Function`, {
        entry: `functions/crawl/${file}.ts`,
        timeoutSeconds: seconds.fetchPage,
        memoryMegabytes: megabytes[name === 'FetchPage' ? 'fetchPage' : 'fetchPages'],
        settings: [...turnSettings, 'RESOLVE_LINKS', 'FETCH_OVERVIEWS'],
      }),
    )
      .bind(upstreamCredentials, 'read')
      .bind(tasks, 'read')
      .bind(limits, 'update')
      .bind(bucket, 'readHtml', 'writeHtml');
  // It ends searches of one page.
  const fetchPage = fetching('FetchPage', 'fetch-page')
    .bind(tasks, 'write', 'putResult')
    .bind(snapshots, 'put')
    .bind(bucket, 'writeResults');
  const fetchPages = fetching('FetchPages', 'fetch-pages');

  // Opens pages that are not checked, so it may not read the login of the provider.
  const renderPage = canFetch(
    new ServiceFunction(stack, 'RenderPageFunction', {
      entry: 'functions/crawl/render-page.ts',
      timeoutSeconds: seconds.renderPage,
      memoryMegabytes: megabytes.renderPage,
      settings: [
        ...turnSettings.filter((name) => name !== 'UPSTREAM_ORIGIN'),
        'RESOLVE_LINKS',
        'FETCH_OVERVIEWS',
      ],
      // The Chromium package is built for x86_64 only. It unpacks itself at the first page.
      architecture: Architecture.X86_64,
      beside: {
        files: { from: '@sparticuz/chromium', names: ['package.json', 'bin'] },
        data: ['lib/place/places.txt'],
      },
    }),
  )
    .bind(tasks, 'read')
    .bind(limits, 'update')
    .bind(bucket, 'readHtml', 'writeHtml');

  const postSearch = new ServiceFunction(stack, 'PostSearchFunction', {
    entry: 'functions/crawl/post-search.ts',
    timeoutSeconds: seconds.postSearch,
    memoryMegabytes: megabytes.consumer,
    settings: ['UPSTREAM_ORIGIN', 'UPSTREAM_DEADLINE', 'TASK_DEADLINE'],
    beside: { data: ['lib/place/places.txt'] },
  })
    .bind(tasks, 'write')
    .bind(users, 'read')
    .bind(pace, 'turn')
    .bind(upstreamCredentials, 'read')
    .bind(fetchers, 'read');

  const collectPages = canFetch(
    new ServiceFunction(stack, 'CollectPagesFunction', {
      entry: 'functions/crawl/collect-pages.ts',
      timeoutSeconds: seconds.collectPages,
      memoryMegabytes: megabytes.collectPages,
      settings: [...fetcherSettings, 'RESOLVE_LINKS', 'SANDBOX_MISFORTUNE'],
    }),
  )
    .bind(upstreamCredentials, 'read')
    .bind(tasks, 'write')
    .bind(bucket, 'writeHtml');

  const parseTask = new ServiceFunction(stack, 'ParseTaskFunction', {
    entry: 'functions/crawl/parse-task.ts',
    timeoutSeconds: seconds.parseTask,
    memoryMegabytes: megabytes.parseTask,
    settings: [],
  })
    .bind(tasks, 'write', 'putResult')
    .bind(snapshots, 'put')
    .bind(bucket, 'readHtml', 'writeHtml', 'writeResults');

  const stateMachine = makeMachine(stack, 'CrawlMachine', {
    // STANDARD would cost seven times as much as the rest of a task.
    type: StateMachineType.EXPRESS,
    timeoutSeconds: seconds.run,
    logLevel: LogLevel.ERROR,
    define: (scope, invoke) => crawlDefinition(scope, invoke, settingsOf(stack).pagesInParallel),
    functions: {
      FetchPage: fetchPage,
      FetchPages: fetchPages,
      RenderPage: renderPage,
      PostSearch: postSearch,
      CollectPages: collectPages,
      ParseTask: parseTask,
    },
  });
  Validations.of(stateMachine).acknowledge({
    id: 'AwsSolutions-SF1',
    reason:
      'Logging every state of every run would cost more than the runs. Failed runs are logged completely, all runs are traced, ' +
      'and the row of the task records the outcome of a successful run.',
  });

  const machine = resource('CRAWL_MACHINE_ARN', stateMachine.stateMachineArn, {
    run: [{ actions: ['states:StartSyncExecution'], on: [stateMachine.stateMachineArn] }],
  });

  new ServiceFunction(stack, 'StartCrawlFunction', {
    entry: 'functions/crawl/start-crawl.ts',
    timeoutSeconds: seconds.startCrawl,
    memoryMegabytes: megabytes.startCrawl,
    settings: [...turnSettings, 'TASK_DEADLINE'],
    // A task that waits for its engine is queued again until its deadline.
    sendsToItself: true,
  })
    .bind(machine, 'run')
    .bind(tasks, 'write', 'readMany')
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
  return { machine };
};
