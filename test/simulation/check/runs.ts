/**
 * Rules about the runs of a task: while one holds the task, no other takes it over, or gives up its lease
 * (Reading 1).
 */

import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { RequestedPage } from '../code/instance.ts';
import type { Struck } from '../world/faults.ts';
import type { Ledger } from './ledger.ts';

/** A run holds its task for five minutes. */
const leaseSeconds = 270;

/** `begins`: when each run claimed the task (seconds), by its number. */
type Runs = Map<number, number>;

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

type Options = {
  ledger: Ledger;
  /** By how much clocks differ at most from each other. */
  skewSeconds: number;
  /** Whether the machine works on a run. */
  isRunning: (id: number, attempt: number) => boolean;
  /** How many runs of a task the machine has begun. */
  begun: (id: number) => number;
  struck: () => readonly Struck[];
};

/**
 * Faults after which the service knows that a start was refused. A message that comes again, because it was
 * copied or because the queue refused its successor, does not know it.
 */
const isRefusing = /^(?:throttled call|refused calls|refused record|unprocessed|slow|reorder|stale|missed)/;
const isOfQueue = /SQS|Queue/;

export const newRuns = ({ ledger, skewSeconds, isRunning, begun, struck }: Options) => {
  const byTask = new Map<number, Runs>();
  return {
    /** Notes a write to a row of a task. `now`: seconds. */
    written: (id: number, before: WireItem | undefined, item: WireItem, now: number): void => {
      const attempt = numberOf(item, 'attempt');
      const isFreed = numberOf(before, 'lease_until') > now && numberOf(item, 'lease_until') === 0;
      if (isFreed && item.status?.S === 'crawling' && isRunning(id, attempt))
        ledger.violate('a run keeps its lease', `the lease of run ${attempt} of task ${id} was given up`);
      const retries = numberOf(item, 'retries_count');
      const isKnown = struck().every(
        ({ key, at, where }) =>
          (isRefusing.test(key) && !isOfQueue.test(where)) ||
          at < (numberOf(item, 'created_at') - skewSeconds) * 1000,
      );
      if (retries > numberOf(before, 'retries_count') && retries > begun(id) && isKnown)
        ledger.violate('retries are counted', `task ${id} has ${retries} retries, and ${begun(id)} runs`);
      const runs: Runs = byTask.get(id) ?? new Map();
      if (attempt > 0 && !runs.has(attempt)) byTask.set(id, runs.set(attempt, now));
    },
    /** A run that asks for a page has not lost its task before its lease has ended. */
    asked: ({ id, attempt, page }: RequestedPage, now: number): void => {
      const runs = byTask.get(id);
      const [begun, next] = [runs?.get(attempt), runs?.get(attempt + 1)];
      if (begun === undefined || next === undefined) return;
      if (next < begun + leaseSeconds - skewSeconds)
        ledger.violate(
          'one run at a time',
          `run ${attempt} of task ${id} asks for page ${page} ${Math.round(now - next)} s after run ${attempt + 1} took the task over`,
        );
    },
  };
};
