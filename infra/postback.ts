/**
 * Webhooks: the consumer that makes the first attempt, and the machine that makes the later ones
 * (`functions/postback`).
 */
import type { Stack } from 'aws-cdk-lib';
import { LogLevel, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { PageBucket } from './bucket.ts';
import { batchSize, megabytes, patientBatch, seconds } from './function-limits.ts';
import { letSendMail } from './mail.ts';
import { postbackDefinition } from './postback-definition.ts';
import type { Queues } from './queues.ts';
import { resource } from './resource.ts';
import { ServiceFunction } from './service-function.ts';
import { mailSettings } from './setting-groups.ts';
import { settingsOf } from './stages.ts';
import { makeMachine } from './state-machine.ts';
import type { Tables } from './tables.ts';

export const makePostback = (
  stack: Stack,
  { tasks, users, limits }: Tables,
  bucket: PageBucket,
  { postback, patient, parked }: Queues,
): void => {
  const deliverAgain = new ServiceFunction(stack, 'DeliverAgainFunction', {
    entry: 'functions/postback/deliver-again.ts',
    timeoutSeconds: seconds.deliver,
    memoryMegabytes: megabytes.consumer,
    settings: ['STAGE', 'SEARCH_SOURCE', ...mailSettings],
    failsAsOutcome: true,
  })
    .bind(tasks, 'write')
    .bind(users, 'read')
    .bind(postback, 'send')
    .bind(bucket, 'readHtml', 'readResults', 'readAlerts', 'dropDeliveries');

  const parkDelivery = new ServiceFunction(stack, 'ParkDeliveryFunction', {
    entry: 'functions/postback/park-delivery.ts',
    timeoutSeconds: seconds.parkDelivery,
    memoryMegabytes: megabytes.consumer,
    settings: ['SEARCH_SOURCE'],
  })
    .bind(tasks, 'write')
    .bind(users, 'read')
    .bind(bucket, 'readHtml', 'readResults', 'readAlerts', 'writeDeliveries')
    .bind(parked, 'send')
    .bind(postback, 'send');

  const machine = makeMachine(stack, 'PostbackMachine', {
    // An EXPRESS run ends after five minutes at the latest, but the attempts take fifteen.
    type: StateMachineType.STANDARD,
    timeoutSeconds: seconds.postbackMachine,
    logLevel: LogLevel.ALL,
    define: postbackDefinition,
    functions: { DeliverAgain: deliverAgain, ParkDelivery: parkDelivery },
  });

  const deliver = new ServiceFunction(stack, 'DeliverFunction', {
    entry: 'functions/postback/deliver.ts',
    timeoutSeconds: seconds.deliver,
    memoryMegabytes: megabytes.consumer,
    settings: ['STAGE', 'SEARCH_SOURCE', ...mailSettings],
    // It consumes both queues. It moves a message to the patient queue at most once, and queues it again
    // while a service refuses calls.
    sendsToItself: true,
  })
    .bind(tasks, 'write')
    .bind(users, 'read')
    .bind(limits, 'read', 'update')
    .bind(postback, 'send')
    .bind(patient, 'send')
    .bind(bucket, 'readHtml', 'readResults', 'readAlerts', 'dropDeliveries')
    .bind(
      resource('POSTBACK_MACHINE_ARN', machine.stateMachineArn, {
        start: [{ actions: ['states:StartExecution'], on: [machine.stateMachineArn] }],
      }),
      'start',
    )
    .consume(postback.queue, {
      batchSize,
      windowSeconds: 0,
      maxConcurrency: settingsOf(stack).postbackConcurrency,
    })
    .consume(patient.queue, {
      batchSize: patientBatch.size,
      windowSeconds: patientBatch.windowSeconds,
      maxConcurrency: settingsOf(stack).patientConcurrency,
    });

  letSendMail(stack, [deliver, deliverAgain]);
};
