/** The attempts that the `postback` state machine makes after its waits. */
import type { DeliveryKey } from '../model/workflow.ts';
import { type AttemptOutcome, deliverOnce } from './deliver-once.ts';
import { nextDelivery } from './policy.ts';

/** Makes the attempt that the key names. After a failure, returns the key of the next attempt. */
export const deliverAgain = async (key: DeliveryKey): Promise<DeliveryKey & { outcome: AttemptOutcome }> => {
  const outcome = await deliverOnce(key);
  return { ...(outcome === 'failed' ? nextDelivery(key) : key), outcome };
};
