/** State DeliverAgain: makes one more attempt at a webhook and returns the number of the next one. */
import { step } from '../../lib/api/step.ts';
import { DeliveryKey } from '../../lib/model/workflow.ts';
import { deliverAgain } from '../../lib/postback/deliver-again.ts';
import { runAgain } from '../../lib/runtime/back-pressure.ts';

export const handler = step(DeliveryKey, deliverAgain, runAgain);
