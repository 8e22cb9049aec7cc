/**
 * The `crawl` machine: order, choices, retries, catches. States carry ids and keys, never HTML or results; every step may
 * run twice.
 */
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  JsonPath,
  Map as MapState,
  Pass,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type Invoke, retrying } from './task-state.ts';

/** Pages fetched side by side: Reading 5 has ten at most. */
const sideBySide = 10;

export const crawlDefinition = (scope: Construct, invoke: Invoke): DefinitionBody => {
  const broken = new Fail(scope, 'Broken', {
    errorPath: '$.broken.Error',
    causePath: '$.broken.Cause',
    comment: 'The consumer fails the message, and so it comes again.',
  });
  const step = (name: 'PlanPages' | 'ParseTask') =>
    retrying(invoke(scope, name)).addCatch(broken, { resultPath: '$.broken' });

  // What a page came to is data: a page that is blocked over plain HTTP goes up to the browser.
  const pageBroken = new Fail(scope, 'PageBroken', { errorPath: '$.Error', causePath: '$.Cause' });
  const rung = (name: 'FetchPage' | 'RenderPage') => retrying(invoke(scope, name)).addCatch(pageBroken);
  const pageDone = new Succeed(scope, 'PageDone');
  // A page is whole without its hidden links: whatever breaks here, they stay hidden.
  const resolveLinks = retrying(invoke(scope, 'ResolveLinks'))
    .addCatch(pageDone, { resultPath: JsonPath.DISCARD })
    .next(pageDone);
  const settle = new Choice(scope, 'HiddenLinks?')
    .when(
      Condition.and(Condition.isPresent('$.hidden'), Condition.numberGreaterThan('$.hidden', 0)),
      resolveLinks,
    )
    .otherwise(pageDone);
  const climb = rung('FetchPage').next(
    new Choice(scope, 'Blocked?')
      .when(Condition.stringEquals('$.outcome', 'blocked'), rung('RenderPage').next(settle))
      .otherwise(settle),
  );
  const crawlPages = new MapState(scope, 'CrawlPages', {
    itemsPath: '$.batch',
    resultPath: '$.crawled',
    maxConcurrency: sideBySide,
  })
    .itemProcessor(climb)
    .addCatch(broken, { resultPath: '$.broken' });

  // Reading 5: the first page is fetched alone, and says whether the others are worth asking for.
  const takeFurther = new Pass(scope, 'TakeFurther', {
    parameters: {
      'user_id.$': '$.user_id',
      'id.$': '$.id',
      'attempt.$': '$.attempt',
      'batch.$': '$.rest',
      rest: [],
      further: false,
      'first.$': '$.crawled',
    },
  });

  const done = new Succeed(scope, 'Done');
  const parse = step('ParseTask').next(done);
  const crawl = crawlPages.next(
    new Choice(scope, 'MorePages?')
      .when(
        Condition.and(
          Condition.booleanEquals('$.further', true),
          Condition.booleanEquals('$.crawled[0].has_next', true),
        ),
        takeFurther.next(crawlPages),
      )
      .otherwise(parse),
  );

  return DefinitionBody.fromChainable(
    step('PlanPages').next(
      new Choice(scope, 'Claimed?')
        .when(Condition.stringEquals('$.outcome', 'claimed'), crawl)
        // An earlier run died between its pages and their parse.
        .when(Condition.stringEquals('$.outcome', 'fetched'), parse)
        .otherwise(done),
    ),
  );
};
