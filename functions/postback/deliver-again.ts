/** State DeliverAgain: makes the attempts at a webhook after the first, one in each call. */
import { step } from '../../lib/api/step.ts';
import { DeliveryKey } from '../../lib/model/workflow.ts';
import { deliverAgain } from '../../lib/postback/deliver-again.ts';
import { refuse } from '../../lib/runtime/state-retry.ts';

export const handler = step(DeliveryKey, (key) => deliverAgain(key), refuse);
