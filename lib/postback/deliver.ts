/** Attempts that the queue consumers make: first ones, and those that the sweeper queues. The `postback` state machine makes the others. */
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

/** Starts the state machine at an attempt. Idempotent, because the execution's name contains the delivery and the attempt. */
const startRetries = async (key: DeliveryKey): Promise<void> => {
  // Parking has no name, because it must be repeatable after a failed run, and Step Functions reserves a used name for 90 days.
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

/** Moves a delivery to the patient queue, where deliveries to slow receivers delay only each other. */
const moveToPatientQueue = async (key: DeliveryKey): Promise<void> => {
  const message: PostbackMessage = { ...key, trace: scope().trace, patient: true };
  const send = new SendMessageCommand({
    QueueUrl: patientQueue,
    MessageBody: JSON.stringify(message),
    // A fair queue: each user gets a share of the consumers.
    MessageGroupId: String(key.user_id),
  });
  await durably('queue-patiently', () => sqs.send(send));
};

/**
 * Handles a postback message: makes its attempt and, after a failure, starts the retries. If the process dies between the two, SQS
 * delivers the message again; it then finds the recorded failure and starts the retries, so no delivery is lost.
 */
export const deliver = async ({ patient, trace, ...key }: PostbackMessage, batch: object): Promise<void> => {
  if (patient) return attempt(key);
  const release = await acquireSlot(batch, key.user_id);
  if (!release) return moveToPatientQueue(key);
  try {
    await attempt(key);
  } finally {
    await release();
  }
};
