/** State DeliverAgain: makes one more attempt at a webhook and returns the number of the next one. */
import { step } from '../../lib/api/step.ts';
import { DeliveryKey } from '../../lib/model/workflow.ts';
import { deliverAgain } from '../../lib/postback/deliver-again.ts';

export const handler = step(DeliveryKey, (key) => deliverAgain(key));
