/** A rule about the runs of a task: while one holds the task, no other takes it over (Reading 1). */
import type { RequestedPage } from '../code/instance.ts';
import type { WireItem } from '../services/values.ts';
import type { Ledger } from './ledger.ts';

/** A run holds its task for five minutes. */
const leaseSeconds = 290;

/** `begins`: when each run claimed the task (seconds), by its number. */
type Runs = Map<number, number>;

/** `skewSeconds`: by how much clocks differ at most from each other. */
export const newRuns = (ledger: Ledger, skewSeconds: number) => {
  const byTask = new Map<number, Runs>();
  return {
    /** Notes a write to a row of a task. `now`: seconds. */
    written: (id: number, item: WireItem, now: number): void => {
      const attempt = Number(item.attempt?.N ?? 0);
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
