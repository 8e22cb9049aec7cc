/**
 * Rules about searches that their engine throttles: each comes back after 10 s, then after twice as long each
 * time, at most 15 minutes, and gives up only if the next time is after its deadline (Reading 4).
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { RequestedPage } from '../code/instance.ts';
import type { Plan } from '../plan/plan.ts';
import type { Ledger } from './ledger.ts';

const pauseSeconds = (runs: number): number => Math.min(10 * 2 ** (runs - 1), 900);

/** From the first request of a run to its end, and from its time to come back to the next one. */
const lateSeconds = 15;

/** Pauses are doubled, so the last one that fits in the time of a task ends after more than a third of it. */
const leastPart = 1 / 3;

type Options = {
  ledger: Ledger;
  plan: Plan;
  /** Whether nothing has struck since then (seconds) and shortly before. */
  isQuietSince: (seconds: number) => boolean;
  /** The row of a task, as it was written last. */
  rowOf: (id: number) => WireItem | undefined;
};

export const newPauses = ({ ledger, plan, isQuietSince, rowOf }: Options) => {
  /** When the last run of a throttled search began (seconds). */
  const begun = new Map<number, { attempt: number; at: number }>();
  return {
    /** A run requests a page. */
    asked: ({ engine, id, attempt, page }: RequestedPage, now: number): void => {
      if (page !== 1) return;
      const row = rowOf(id);
      const former = begun.get(id);
      begun.set(id, { attempt, at: now });
      const isFirst = former === undefined || former.attempt >= attempt;
      if (isFirst || !String(row?.keyword?.S).startsWith('http_429')) return;
      if (!isQuietSince(Number(row?.created_at?.N))) return;
      const pause = now - former.at;
      const right = pauseSeconds(former.attempt);
      // At an engine with a rate, it waits for its turn besides.
      const isLate = engine !== plan.rated?.engine && pause > right + lateSeconds;
      if (pause < right || isLate)
        ledger.violate(
          'pauses grow',
          `run ${attempt} of task ${id} came after ${Math.round(pause)} s, and not after ${right}`,
        );
    },
    /** A task has ended. */
    ended: (task: WireItem, now: number): void => {
      const reason = String(task.error_message?.S);
      const isRated = plan.rated !== undefined && task.engine?.S === plan.rated.engine;
      if (!reason.startsWith('throttled:') || isRated) return;
      const waited = now - Number(task.created_at?.N) + 2 * plan.skewSeconds;
      if (waited < Number(plan.settings.TASK_DEADLINE) * leastPart)
        ledger.violate(
          'throttled tasks wait',
          `task ${task.id?.N} ended after ${Math.round(waited)} s: ${reason}`,
        );
    },
  };
};
