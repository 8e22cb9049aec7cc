/** The attempts that the `postback` state machine makes after its waits. */
import type { DeliveryKey } from '../model/workflow.ts';
import { runAgain } from '../runtime/back-pressure.ts';
import { type AttemptOutcome, deliverOnce } from './deliver-once.ts';
import { nextDelivery } from './policy.ts';

type Attempted = DeliveryKey & { outcome: Exclude<AttemptOutcome, 'unrecorded'> | 'refused' };

/** Makes the attempt that the key names. After a failure, returns the key of the next attempt. */
export const deliverAgain = async (key: DeliveryKey): Promise<Attempted> => {
  const outcome = await deliverOnce(key);
  if (outcome === 'unrecorded') return runAgain({ ...key, sent: true });
  return { ...(outcome === 'failed' ? nextDelivery(key) : key), outcome };
};
