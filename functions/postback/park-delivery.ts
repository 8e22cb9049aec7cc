/** State ParkDelivery: puts a webhook that failed for the last time where an operator finds it. */
import { step } from '../../lib/api/step.ts';
import { DeliveryKey } from '../../lib/model/workflow.ts';
import { parkDelivery } from '../../lib/postback/park-delivery.ts';

export const handler = step(DeliveryKey, (key) => parkDelivery(key));
