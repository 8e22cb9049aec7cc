/**
 * Defines the `postback` machine: the attempts at a webhook after the first (Reading 32). A run can start at
 * any attempt. The first wait is a separate state with literal seconds, because the interpreter of the
 * embedded stack reads no fractions from a path. The waits after it are the retries of the state that makes
 * the attempts: a retry is one state transition, and a wait behind a choice is three.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  JitterType,
  Pass,
  Result,
  type RetryProps,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { delaysSeconds, failedAttempt, lastAttemptFailed, recordMissing } from '../lib/postback/policy.ts';
import { refusedName } from '../lib/runtime/state-retry.ts';
import { type Invoke, retrying } from './task-state.ts';

/** For a call of an AWS service that was refused: until the run ends. */
const refusedRetry: RetryProps = {
  errors: [refusedName],
  interval: Duration.seconds(5),
  backoffRate: 2,
  maxDelay: Duration.seconds(60),
  maxAttempts: 1000,
  jitterStrategy: JitterType.FULL,
};

/** How long an accepted attempt waits for its record. The sweeper waits longer. */
const recordSeconds = 3;

const delays = Object.entries(delaysSeconds).map(([attempt, seconds]) => ({
  attempt: Number(attempt),
  wait: Duration.seconds(seconds),
}));

export const postbackDefinition = (scope: Construct, invoke: Invoke): DefinitionBody => {
  const broken = new Fail(scope, 'Broken', {
    errorPath: '$.broken.Error',
    causePath: '$.broken.Cause',
    comment: 'The sweeper finds the overdue delivery and queues it again.',
  });
  const park = retrying(invoke(scope, 'ParkDelivery').addRetry(refusedRetry)).addCatch(broken, {
    resultPath: '$.broken',
  });

  const deliverAgain = invoke(scope, 'DeliverAgain');
  for (const { attempt, wait } of delays) {
    deliverAgain.addRetry({
      errors: [failedAttempt(attempt - 1)],
      interval: wait,
      backoffRate: 1,
      // One is enough, unless another process has just made the attempt.
      maxAttempts: 20,
    });
  }
  // No retry: the state catches these.
  deliverAgain.addRetry({ errors: [lastAttemptFailed, recordMissing], maxAttempts: 0 });
  const sent = new Pass(scope, 'Sent', { result: Result.fromBoolean(true), resultPath: '$.sent' });
  const waitToRecord = new Wait(scope, 'WaitToRecord', {
    time: WaitTime.duration(Duration.seconds(recordSeconds)),
  });
  retrying(deliverAgain.addRetry(refusedRetry))
    // Reading 35: after the fifth failure the delivery is parked.
    .addCatch(park, { errors: [lastAttemptFailed], resultPath: '$.failed' })
    .addCatch(sent.next(waitToRecord).next(deliverAgain), { errors: [recordMissing], resultPath: '$.failed' })
    .addCatch(broken, { resultPath: '$.broken' });

  const whichAttempt = new Choice(scope, 'WhichAttempt?');
  for (const { attempt, wait } of delays) {
    const first = new Wait(scope, `Wait${wait.toSeconds()}`, { time: WaitTime.duration(wait) });
    whichAttempt.when(Condition.numberEquals('$.attempt', attempt), first.next(deliverAgain));
  }
  return DefinitionBody.fromChainable(whichAttempt.otherwise(park));
};
