/**
 * Defines the `postback` machine: the attempts at a webhook after the first (Reading 32). A run can start at
 * any attempt. Its first wait is a separate state with literal seconds, because the interpreter of the
 * embedded stack reads no fractions from a path. The waits after it are the retries of the state that makes
 * the attempts: a retry is one state transition, and a wait behind a choice is three. The retry holds for
 * every error, because not all emulators pass on the names of errors.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Errors,
  Fail,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { attempts, delaysSeconds } from '../lib/postback/policy.ts';
import { busyRetry, type Invoke, retrying } from './task-state.ts';

const backoffRate = 2;

export const postbackDefinition = (scope: Construct, invoke: Invoke): DefinitionBody => {
  const broken = new Fail(scope, 'Broken', {
    errorPath: '$.broken.Error',
    causePath: '$.broken.Cause',
    comment: 'The sweeper finds the overdue delivery and queues it again.',
  });
  // Reading 35: after the fifth failure the delivery is parked.
  const park = retrying(invoke(scope, 'ParkDelivery')).addCatch(broken, { resultPath: '$.broken' });

  const whichAttempt = new Choice(scope, 'WhichAttempt?').otherwise(park);
  for (const [first, delay] of Object.entries(delaysSeconds)) {
    const remaining = attempts - Number(first);
    const wait = new Wait(scope, `Wait${delay}`, { time: WaitTime.duration(Duration.seconds(delay)) });
    const deliver = invoke(scope, `DeliverAgain${first}`, 'DeliverAgain').addRetry(busyRetry);
    if (remaining > 0) {
      deliver.addRetry({
        errors: [Errors.ALL],
        interval: Duration.seconds(delay * backoffRate),
        backoffRate,
        maxAttempts: remaining,
      });
    }
    deliver.addCatch(park, { resultPath: '$.failed' });
    whichAttempt.when(Condition.numberEquals('$.attempt', Number(first)), wait.next(deliver));
  }
  return DefinitionBody.fromChainable(whichAttempt);
};
