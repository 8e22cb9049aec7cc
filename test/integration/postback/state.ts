/** The state of the `postback` machine that makes the attempts, called as the machine calls it. */
import type { DeliveryKey } from '../../../lib/model/workflow.ts';

const { deliverAgain } = await import('../../../lib/postback/deliver-again.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { StateRetry } = await import('../../../lib/runtime/state-retry.ts');

/** Longer than each wait of the schedule. */
const waited = 500;

/** The outcome of one call, or the name of the error that decides what the machine does next. */
export const callOnce = async (key: DeliveryKey, now = clock()): Promise<string> => {
  try {
    return (await deliverAgain(key, now)).outcome;
  } catch (error) {
    if (!(error instanceof StateRetry)) throw error;
    return error.name;
  }
};

/** The outcomes of so many calls with the same key, each after its wait. */
export const callAgain = async (key: DeliveryKey, calls: number): Promise<string[]> => {
  const start = clock();
  const outcomes: string[] = [];
  for (let n = 1; n <= calls; n++) outcomes.push(await callOnce(key, start + n * waited));
  return outcomes;
};
