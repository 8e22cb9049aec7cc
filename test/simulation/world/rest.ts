/**
 * Which scheduled calls have nothing to do. A call that found the partitions empty that it asked finds them
 * empty again until something is written to one of them, or until something that is there becomes due. Such
 * calls are most of those of a service, and a world leaves them out.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Until when (Unix milliseconds) a call has nothing to do, if no partition that it asked has changed. */
export type Rest = { until: number; partitions: ReadonlyMap<string, number> };

/** What a call that is under way has seen. `isQuiet`: it has only asked for what is not there. */
type Watch = { until: number; partitions: Map<string, number>; isQuiet: boolean };

export type Rests = {
  /** Notes that a partition of a table or of an index has changed. */
  changed: (partition: string) => void;
  /** Notes that the present call has written something, or read what may change unseen. */
  acted: () => void;
  /**
   * Notes a query of a partition by the present call. `next`: the first sort key above its range; undefined
   * if there is none.
   */
  queried: (partition: string, isFound: boolean, next?: string) => void;
  /** Makes a call. Returns its rest; undefined if it may have found something to do. */
  watch: (call: () => Promise<unknown>) => Promise<Rest | undefined>;
  /** Whether a call with this rest would still find nothing. */
  lasts: (rest: Rest | undefined) => boolean;
  /** From now on, no call is left out. */
  stop: () => void;
};

/** Sort keys of what becomes due begin with Unix seconds. Others, of any time, are not understood. */
const nearSeconds = 400 * 86_400;

/** `marginMs`: by how much the clock of a process may be ahead. */
export const newRests = (now: () => number, marginMs: number): Rests => {
  /** How often each partition has changed. */
  const changes = new Map<string, number>();
  const changesOf = (partition: string): number => changes.get(partition) ?? 0;
  let isStopped = false;
  const watches = new AsyncLocalStorage<Watch>();
  const acted = () => {
    const watch = watches.getStore();
    if (watch) watch.isQuiet = false;
  };
  return {
    changed: (partition) => void changes.set(partition, changesOf(partition) + 1),
    acted,
    queried: (partition, isFound, next) => {
      const watch = watches.getStore();
      if (!watch?.isQuiet) return;
      if (isFound) return acted();
      // A partition that has changed since the call asked it first is never as it was then.
      if (!watch.partitions.has(partition)) watch.partitions.set(partition, changesOf(partition));
      if (next === undefined) return;
      const due = Number.parseInt(next, 10);
      if (!(Math.abs(due - now() / 1000) < nearSeconds)) return acted();
      watch.until = Math.min(watch.until, due * 1000 - marginMs);
    },
    watch: async (call) => {
      const watch: Watch = { until: Number.POSITIVE_INFINITY, partitions: new Map(), isQuiet: true };
      await watches.run(watch, call);
      return watch.isQuiet ? watch : undefined;
    },
    lasts: (rest) =>
      !isStopped &&
      rest !== undefined &&
      now() < rest.until &&
      rest.partitions.entries().every(([partition, count]) => changesOf(partition) === count),
    stop: () => {
      isStopped = true;
    },
  };
};
