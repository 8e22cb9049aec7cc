/**
 * State ParkDelivery: parks a webhook that failed for the last time, so that an operator can send it again.
 */
import { step } from '../../lib/api/step.ts';
import { DeliveryKey } from '../../lib/model/workflow.ts';
import { parkDelivery, parkLater } from '../../lib/postback/park-delivery.ts';

export const handler = step(DeliveryKey, (key) => parkDelivery(key), parkLater);
