/** The queues' side of a delivery: one attempt here and now; only where it fails, the `postback` machine for the rest. */
import { ExecutionAlreadyExists, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DeliveryKey, PostbackMessage } from '../model/workflow.ts';
import { sfn, sqs } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { scope } from '../runtime/scope.ts';
import { deliverOnce } from './deliver-once.ts';
import { acquireSlot } from './fair-share.ts';
import { attempts, nextDelivery } from './policy.ts';

const machine = resource('POSTBACK_MACHINE_ARN');
const patientQueue = resource('PATIENT_QUEUE_URL');

/** Starts the machine at an attempt, once: the name is made of the attempt, so a repeated message starts no second run. */
const startRetries = async (key: DeliveryKey): Promise<void> => {
  // Parking may be asked for again, when an earlier run broke at it; a name that is taken would forbid that for 90 days.
  const name = key.attempt > attempts ? undefined : `${key.delivery}-${key.attempt}`;
  try {
    const start = new StartExecutionCommand({ stateMachineArn: machine, name, input: JSON.stringify(key) });
    await durably('start-retries', () => sfn.send(start));
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
  }
};

const attempt = async (key: DeliveryKey): Promise<void> => {
  if ((await deliverOnce(key)) === 'failed') await startRetries(nextDelivery(key));
};

/** Puts a delivery where those of slow receivers wait for each other, and for nobody else. */
const queuePatiently = async (key: DeliveryKey): Promise<void> => {
  const message: PostbackMessage = { ...key, trace: scope().trace, patient: true };
  const send = new SendMessageCommand({ QueueUrl: patientQueue, MessageBody: JSON.stringify(message) });
  await durably('queue-patiently', () => sqs.send(send));
};

/**
 * Handles a postback message: its attempt, and what follows a failure. A message that comes again finds the failure written
 * down and sees to it that the next attempt is under way, so whoever dies in between loses nothing.
 */
export const deliver = async ({ patient, trace, ...key }: PostbackMessage, batch: object): Promise<void> => {
  if (patient) return attempt(key);
  const release = await acquireSlot(batch, key.user_id);
  if (!release) return queuePatiently(key);
  try {
    await attempt(key);
  } finally {
    await release();
  }
};
