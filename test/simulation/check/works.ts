/** Rules about work on projects that a request has begun: a scheduled call finishes what it leaves. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Plan } from '../plan/plan.ts';
import { refusedMs, type Struck } from '../world/faults.ts';
import type { Ledger } from './ledger.ts';

/** A request may take a minute. The next run finishes its work, in less than a minute (seconds). */
const usualSeconds = 200;

/** How long faults keep runs from the work. */
const faultySeconds = 1800;

/** A scheduled call may be so late. */
const lateScheduleSeconds = 3 * 3600;

type Options = { ledger: Ledger; plan: Plan; struck: () => readonly Struck[] };

export const newWorks = ({ ledger, plan, struck }: Options) => {
  /** Since when each work is recorded (milliseconds). */
  const begun = new Map<string, number>();

  const check = (name: string, from: number, now: number): void => {
    const during = struck().filter(({ at }) => at >= from - refusedMs && at <= now);
    const isLate = during.some(({ key }) => /^(?:late|missed) schedule/.test(key));
    const most =
      (during.length === 0 && plan.deployAt === 0 ? usualSeconds : faultySeconds) +
      (isLate ? lateScheduleSeconds : 0) +
      2 * plan.skewSeconds;
    if (now - from > most * 1000)
      ledger.violate('work on projects ends', `${name} was begun ${(now - from) / 1000} s ago`);
  };

  return {
    /** Notes a write to the table of tracking. `now`: milliseconds. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      const row = after ?? before;
      if (row?.pk?.S !== 'work') return;
      const name = String(row.sk?.S);
      const from = begun.get(name);
      if (after) begun.set(name, from ?? now);
      else {
        if (from !== undefined) check(name, from, now);
        begun.delete(name);
      }
    },
    end: (now: number): void => {
      for (const [name, from] of begun) check(name, from, now);
    },
  };
};

/**
 * The imports of a project take turns: two at once could add a keyword each, and both count it. `rowOf`: an
 * item of the table of tracking.
 */
export const checkImportTurn = (
  ledger: Ledger,
  before: WireItem | undefined,
  after: WireItem | undefined,
  rowOf: (key: { pk: string; sk: string }) => { status?: unknown } | undefined,
): void => {
  const [former, next] = [before, after].map((item) => item?.import_id?.N);
  if (after?.sk?.S !== 'import-turn' || former === undefined || former === next) return;
  const project = String(after.pk?.S);
  if (rowOf({ pk: project, sk: `import#${former}` })?.status === 'running')
    ledger.violate('imports take turns', `import ${next} of ${project} begins, and ${former} still runs`);
};
