/**
 * Which scheduled calls have nothing to do. A call that found nothing finds nothing again until something is
 * written, or until something that is there becomes due. Such calls are most of those of an idle service, and
 * a world leaves them out.
 */

/** A call that is under way, and what it has seen. */
type Watch = {
  /** Undefined if the call found nothing; else when it has work again (Unix milliseconds, or infinity). */
  end: () => Rest | undefined;
};

/** Until when there is nothing to do, unless something changes. */
export type Rest = { until: number; changes: number };

export type Rests = {
  /** Notes that something was written, sent or shown. */
  changed: () => void;
  /** Notes that something was read. */
  looked: () => void;
  /** Notes a query of a table. `next`: the first sort key above its range; undefined if there is none. */
  queried: (isFound: boolean, next?: string) => void;
  watch: () => Watch;
  /** Whether a call with this rest would still find nothing. */
  lasts: (rest: Rest | undefined) => boolean;
  /** From now on, no call is left out. */
  stop: () => void;
};

/** Sort keys of what becomes due begin with Unix seconds. Others, of any time, are not understood. */
const nearSeconds = 400 * 86_400;

/** `marginMs`: by how much the clock of a process may be ahead. */
export const newRests = (now: () => number, marginMs: number): Rests => {
  let changes = 0;
  /** Reads whose answer can be another one without a change. */
  let looks = 0;
  let isStopped = false;
  const watches = new Set<{ until: number }>();
  const looked = () => {
    looks += 1;
  };
  return {
    changed: () => {
      changes += 1;
    },
    looked,
    queried: (isFound, next) => {
      if (isFound) return looked();
      if (next === undefined) return;
      const due = Number.parseInt(next, 10);
      if (!(Math.abs(due - now() / 1000) < nearSeconds)) return looked();
      for (const watch of watches) watch.until = Math.min(watch.until, due * 1000 - marginMs);
    },
    watch: () => {
      const watch = { until: Number.POSITIVE_INFINITY };
      const before = { changes, looks };
      watches.add(watch);
      return {
        end: () => {
          watches.delete(watch);
          const isQuiet = before.changes === changes && before.looks === looks;
          return isQuiet ? { until: watch.until, changes } : undefined;
        },
      };
    },
    lasts: (rest) => !isStopped && rest !== undefined && rest.changes === changes && now() < rest.until,
    stop: () => {
      isStopped = true;
    },
  };
};
