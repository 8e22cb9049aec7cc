/**
 * Defines the `crawl` machine: the order of the steps, choices, retries and catches. Its input is the plan of
 * a run, whose consumer has claimed the task. States pass ids and keys, never HTML or results. Every step may
 * run twice.
 */
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  Map as MapState,
  Pass,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Onward } from '../lib/model/workflow.ts';
import { busyError, busyRetry, type Invoke, retrying } from './task-state.ts';

/** `pagesInParallel`: pages of a task that separate calls fetch at a time. */
export const crawlDefinition = (
  scope: Construct,
  invoke: Invoke,
  pagesInParallel: number,
): DefinitionBody => {
  const broken = new Fail(scope, 'Broken', {
    errorPath: '$.broken.Error',
    causePath: '$.broken.Cause',
    comment: 'The consumer reports the message as failed, and SQS delivers it again.',
  });
  const step = (name: 'ParseTask' | 'PostSearch' | 'CollectPages') =>
    retrying(invoke(scope, name)).addCatch(broken, { resultPath: '$.broken' });

  // The outcome of a page is data, not an error: a page that is blocked over plain HTTP is opened in the
  // browser. Back-pressure is an outcome too. The machine does not wait for its end: ParseTask gets such a
  // page, and the consumer postpones the task.
  const pageBroken = new Fail(scope, 'PageBroken', { errorPath: '$.Error', causePath: '$.Cause' });
  const pageStep = (name: 'FetchPage' | 'RenderPage') => retrying(invoke(scope, name)).addCatch(pageBroken);
  const pageDone = new Succeed(scope, 'PageDone');
  const open = new Choice(scope, 'Blocked?')
    .when(Condition.stringEquals('$.outcome', 'blocked'), pageStep('RenderPage').next(pageDone))
    .otherwise(pageDone);
  const crawlPage = new Choice(scope, 'Fetched?')
    .when(Condition.isPresent('$.outcome'), open)
    .otherwise(pageStep('FetchPage').next(open));
  const crawlPages = new MapState(scope, 'CrawlPages', {
    itemsPath: '$.batch',
    resultPath: '$.crawled',
    maxConcurrency: pagesInParallel,
  })
    .itemProcessor(crawlPage)
    .addCatch(broken, { resultPath: '$.broken' });
  // Several pages are fetched by one call and stored as one object, because each call and each object costs
  // money. A page whose work throws an error is fetched again by a separate call. If the call fails as a
  // whole, each page is. If the account has no free function for it, the consumer postpones the run.
  const fetchPages = new Choice(scope, 'SeveralPages?')
    .when(
      Condition.isPresent('$.batch[1]'),
      invoke(scope, 'FetchPages', 'FetchPages', '$.batch')
        .addRetry(busyRetry)
        .addCatch(broken, { errors: [busyError], resultPath: '$.broken' })
        .addCatch(crawlPages, { resultPath: '$.alone' })
        .next(crawlPages),
    )
    .otherwise(crawlPages);

  // Reading 5: the first page is fetched alone. It shows whether there are more pages to fetch.
  const keepPages = new Pass(scope, 'KeepPages', {
    parameters: { 'lists.$': 'States.Array($.first, $.crawled)' },
    resultPath: '$.kept',
  });
  const takePages = (name: string, pages: { 'batch.$': string; rest?: object; 'rest.$'?: string }) =>
    new Pass(scope, name, {
      parameters: {
        'user_id.$': '$.user_id',
        'id.$': '$.id',
        'attempt.$': '$.attempt',
        'first.$': '$.kept.lists[*][*]',
        ...pages,
      },
    });
  const takeNext = takePages('TakeNext', { 'batch.$': '$.rest.batch', 'rest.$': '$.rest.rest' });
  // A late run has no time left to fetch its pages one after another.
  const takeAll = takePages('TakeAll', { 'batch.$': '$.rest..batch[*]', rest: {} });
  const onwardIs = (onward: Onward) =>
    Condition.and(
      Condition.isPresent('$.crawled[0].onward'),
      Condition.stringEquals('$.crawled[0].onward', onward),
    );

  const done = new Succeed(scope, 'Done');
  // A run that leaves a page to the upstream provider hands it the whole search, and ends. The provider's
  // pingback starts the run again.
  const parse = step('ParseTask').next(
    new Choice(scope, 'LeftToProvider?')
      .when(Condition.stringEquals('$.outcome', 'upstream'), step('PostSearch').next(done))
      .otherwise(done),
  );
  const collect = step('CollectPages').next(
    new Choice(scope, 'Collected?')
      .when(Condition.stringEquals('$.outcome', 'collected'), parse)
      .otherwise(done),
  );
  // FetchPage ends a search of one page, because a further call and a read of the page would cost money. Its
  // output is then that of ParseTask. Two paths, because an emulator may make a list of what follows an
  // index.
  const ended = new Succeed(scope, 'Ended', { inputPath: '$.crawled[0]', outputPath: '$.ended' });
  crawlPages.next(
    new Choice(scope, 'MorePages?')
      .when(Condition.isPresent('$.crawled[0].ended'), ended)
      .when(
        Condition.and(
          Condition.isPresent('$.rest.batch'),
          Condition.booleanEquals('$.crawled[0].has_next', true),
          Condition.not(onwardIs('stop')),
        ),
        keepPages.next(
          new Choice(scope, 'Late?')
            .when(onwardIs('all'), takeAll.next(fetchPages))
            .otherwise(takeNext.next(fetchPages)),
        ),
      )
      .otherwise(parse),
  );

  return DefinitionBody.fromChainable(
    new Choice(scope, 'Claimed?')
      // The pages are those of a snapshot, or an earlier run ended after it fetched them and before it parsed
      // them.
      .when(Condition.stringEquals('$.outcome', 'fetched'), parse)
      .when(Condition.stringEquals('$.outcome', 'ordered'), collect)
      .otherwise(fetchPages),
  );
};
