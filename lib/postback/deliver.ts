/**
 * Attempts that the queue consumers make: first ones, and those that the sweeper queues. The `postback` state
 * machine makes the others.
 */
import { ExecutionAlreadyExists, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DeliveryKey, PostbackMessage } from '../model/workflow.ts';
import { sfn, sqs } from '../runtime/aws.ts';
import { isAccepted, isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { type DurableWork, durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { attemptMessage, postponedMessage } from './attempt-message.ts';
import { type AttemptOutcome, deliverOnce } from './deliver-once.ts';
import { acquireSlot } from './fair-share.ts';
import { attempts, nextDelivery } from './policy.ts';

const machine = resource('POSTBACK_MACHINE_ARN');
const postbackQueue = resource('POSTBACK_QUEUE_URL');
const patientQueue = resource('PATIENT_QUEUE_URL');

/**
 * Starts the state machine at an attempt. Idempotent, because the execution's name contains the delivery, the
 * attempt and the round.
 */
const startRetries = async (key: DeliveryKey): Promise<void> => {
  // Parking has no name, because it must be repeatable after a failed run, and Step Functions reserves a used
  // name for 90 days.
  const round = key.round === undefined ? '' : `-${key.round}`;
  const name = key.attempt > attempts ? undefined : `${key.delivery}-${key.attempt}${round}`;
  try {
    const start = new StartExecutionCommand({ stateMachineArn: machine, name, input: JSON.stringify(key) });
    await durably('start-retries', () => sfn.send(start));
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
  }
};

/** The queue that the field `patient` of a message names. */
const queueOf = ({ patient }: PostbackMessage): string => (patient ? patientQueue : postbackQueue);

const queue = async (
  work: DurableWork,
  QueueUrl: string,
  message: ReturnType<typeof attemptMessage>,
): Promise<void> => {
  const send = new SendMessageCommand({ QueueUrl, ...message });
  await durably(work, () => sqs.send(send));
};

const attempt = async (message: PostbackMessage): Promise<AttemptOutcome> => {
  const outcome = await deliverOnce(message);
  if (outcome === 'failed') await startRetries(nextDelivery(message));
  return outcome;
};

/**
 * Makes the attempt if the user has a free slot, else moves the delivery to the patient queue, where
 * deliveries delay only each other.
 */
const attemptFairly = async (message: PostbackMessage, batch: object): Promise<AttemptOutcome | 'moved'> => {
  const release = await acquireSlot(batch, message.user_id);
  if (!release) {
    await queue('queue-patiently', patientQueue, attemptMessage({ ...message, patient: true }));
    return 'moved';
  }
  try {
    return await attempt(message);
  } finally {
    // A slot that is not released is free again some seconds after its window.
    await isAccepted(release());
  }
};

/**
 * Handles a postback message: makes its attempt and, after a failure, starts the retries. If the process dies
 * between the two, SQS delivers the message again; it then finds the recorded failure and starts the retries,
 * so no delivery is lost. If an AWS service refuses a call, a copy of the message is queued for later.
 * @throws on broken machinery, and if the queue refuses the copy. SQS then redelivers the message.
 */
export const deliver = async (message: PostbackMessage, batch: object): Promise<void> => {
  let again = message;
  try {
    const needsSlot = !message.patient && !message.sent;
    const outcome = await (needsSlot ? attemptFairly(message, batch) : attempt(message));
    if (outcome !== 'unrecorded') return;
    again = { ...message, sent: true };
  } catch (error) {
    if (!isBackPressure(error)) throw error;
    logRefusal(error);
  }
  await queue('postpone-delivery', queueOf(again), postponedMessage(again));
};
