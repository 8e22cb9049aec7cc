/** The machine's side of a delivery: an attempt after its wait, and what the machine is to do next. */
import type { DeliveryKey } from '../model/workflow.ts';
import { type AttemptOutcome, deliverOnce } from './deliver-once.ts';
import { nextDelivery } from './policy.ts';

/** Makes the key's attempt; after a failure the answer names the next one. */
export const deliverAgain = async (key: DeliveryKey): Promise<DeliveryKey & { outcome: AttemptOutcome }> => {
  const outcome = await deliverOnce(key);
  return { ...(outcome === 'failed' ? nextDelivery(key) : key), outcome };
};
