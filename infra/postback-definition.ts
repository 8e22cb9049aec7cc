/**
 * Defines the `postback` machine: the attempts at a webhook after the first (Reading 32). A run can start at
 * any attempt. Each wait of the schedule is a separate state with literal seconds, because the interpreter of
 * the embedded stack reads no fractions from a path.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { delaysSeconds } from '../lib/postback/policy.ts';
import { type Invoke, retrying } from './task-state.ts';

export const postbackDefinition = (scope: Construct, invoke: Invoke): DefinitionBody => {
  const broken = new Fail(scope, 'Broken', {
    errorPath: '$.broken.Error',
    causePath: '$.broken.Cause',
    comment: 'The sweeper finds the overdue delivery and queues it again.',
  });
  const step = (name: 'DeliverAgain' | 'ParkDelivery') =>
    retrying(invoke(scope, name)).addCatch(broken, { resultPath: '$.broken' });

  const done = new Succeed(scope, 'Done');
  const deliverAgain = step('DeliverAgain');
  const park = step('ParkDelivery');
  // A step that met back-pressure runs again after the seconds that it has chosen.
  const isRefused = Condition.stringEquals('$.outcome', 'refused');
  const waitBefore = (name: string, refused: typeof park) =>
    new Wait(scope, `WaitTo${name}`, { time: WaitTime.secondsPath('$.pause') }).next(refused);
  park.next(new Choice(scope, 'Parked?').when(isRefused, waitBefore('Park', park)).otherwise(done));

  const whichAttempt = new Choice(scope, 'WhichAttempt?');
  for (const [attempt, delay] of Object.entries(delaysSeconds)) {
    const wait = new Wait(scope, `Wait${delay}`, { time: WaitTime.duration(Duration.seconds(delay)) });
    whichAttempt.when(Condition.numberEquals('$.attempt', Number(attempt)), wait.next(deliverAgain));
  }
  // Reading 35: after the fifth failure the delivery is parked.
  whichAttempt.otherwise(park);

  // The output of a failed attempt holds the number of the next attempt.
  deliverAgain.next(
    new Choice(scope, 'Failed?')
      .when(Condition.stringEquals('$.outcome', 'failed'), whichAttempt)
      .when(isRefused, waitBefore('Deliver', deliverAgain))
      .otherwise(done),
  );
  return DefinitionBody.fromChainable(whichAttempt);
};
