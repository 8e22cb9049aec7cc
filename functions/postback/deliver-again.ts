/**
 * State DeliverAgain: makes the next attempt at a webhook. A failed one ends the call with an error, because
 * the retries of the state are the waits.
 */
import { step } from '../../lib/api/step.ts';
import { DeliveryKey } from '../../lib/model/workflow.ts';
import { deliverAgain, orRetry, retryLater } from '../../lib/postback/deliver-again.ts';

export const handler = step(DeliveryKey, async (key) => orRetry(await deliverAgain(key)), retryLater);
