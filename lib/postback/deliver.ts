/** The queue's side of a delivery: one attempt here and now; only where it fails, the `postback` machine for the rest. */
import { ExecutionAlreadyExists, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { DeliveryKey } from '../model/step.ts';
import { sfn } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { deliverOnce } from './deliver-once.ts';
import { attempts, nextDelivery } from './policy.ts';

const machine = resource('POSTBACK_MACHINE_ARN');

/** Starts the machine at an attempt, once: the name is made of the attempt, so a repeated message starts no second run. */
const startRetries = async (key: DeliveryKey): Promise<void> => {
  // Parking may be asked for again, when an earlier run broke at it; a name that is taken would forbid that for 90 days.
  const name = key.attempt > attempts ? undefined : `${key.delivery}-${key.attempt}`;
  try {
    await sfn.send(new StartExecutionCommand({ stateMachineArn: machine, name, input: JSON.stringify(key) }));
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
  }
};

/**
 * Handles a postback message: its attempt, and what follows a failure. A message that comes again finds the failure written
 * down and sees to it that the next attempt is under way, so whoever dies in between loses nothing.
 */
export const deliver = async (key: DeliveryKey): Promise<void> => {
  if ((await deliverOnce(key)) === 'failed') await startRetries(nextDelivery(key));
};
