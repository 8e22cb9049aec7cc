/** Rules about webhooks as they arrive at receivers. */
import type { Arrival } from '../models/receivers.ts';
import type { Ledger } from './ledger.ts';

/** The shortest time between two attempts of a delivery that a client may see (milliseconds). */
const leastGapMs = 15_000;

const attempts = 5;

type Known = { times: number[]; accepted: number };

export const newArrivals = (ledger: Ledger, isCalm: boolean) => {
  const byId = new Map<string, Known>();
  return {
    arrived: ({ at, id, accepted, body }: Arrival): void => {
      const known = byId.get(id) ?? { times: [], accepted: 0 };
      byId.set(id, known);
      const task = Number(body.id ?? body.task_id ?? body.batch_id ?? 0);
      const rounds = 1 + (ledger.resent.get(task) ?? 0);
      const last = known.times.at(-1);
      if (last !== undefined && rounds === 1 && at - last < leastGapMs)
        ledger.violate('pause between attempts', `${id} arrived again after ${at - last} ms`);
      known.times.push(at);
      if (accepted) known.accepted += 1;
      if (known.times.length > attempts * rounds)
        ledger.violate('five attempts', `${id} arrived ${known.times.length} times`);
      if (isCalm && known.accepted > rounds)
        ledger.violate('no repeat after success', `${id} was accepted ${known.accepted} times`);
    },
    of: (id: string): Known | undefined => byId.get(id),
    byId,
  };
};

export type Arrivals = ReturnType<typeof newArrivals>;
