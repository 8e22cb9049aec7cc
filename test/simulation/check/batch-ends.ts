/** A rule about the ends of batches: the end of their last task is followed by theirs (Reading 46). */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Plan } from '../plan/plan.ts';
import { refusedMs, type Struck } from '../world/faults.ts';
import { firstDay } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

/** The process that ends the last task reads the others of its batch (milliseconds). */
const endedMs = 8_000;

const finals = ['success', 'error', 'dead_letter'];

type Options = { ledger: Ledger; plan: Plan; struck: () => readonly Struck[] };

export const newBatchEnds = ({ ledger, plan, struck }: Options) => {
  const isOnTime = plan.skewSeconds === 0 && plan.deployAt === 0;
  /** Until then, searches end processes. Each of them counts as a fault once. */
  const mendedAt = plan.mendedAt === 0 ? 0 : firstDay + plan.mendedAt;
  /** When the last task of each batch ended. */
  const lastEnds = new Map<string, number>();
  return {
    /** Notes a write to the table of tasks. `now`: milliseconds. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      if (!isOnTime || !after) return;
      const batch = after.batch_id?.N;
      const [from, to] = [before, after].map((item) => finals.includes(String(item?.status?.S)));
      if (batch !== undefined && to && !from) lastEnds.set(`${after.user_id?.N}/${batch}`, now);
      if (after.kind?.S !== 'batch' || !after.delivery || before?.delivery) return;
      const ended = lastEnds.get(`${after.user_id?.N}/${after.id?.N}`) ?? now;
      const isQuiet = ended >= mendedAt && struck().every(({ at }) => at < ended - refusedMs);
      if (isQuiet && now - ended > endedMs)
        ledger.violate(
          'batches end with their last task',
          `batch ${after.id?.N} ended ${(now - ended) / 1000} s after its last task`,
        );
    },
  };
};
