/** Rules about lost work: when the sweeper looks at it, and after how many receives a task is dead. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';

/**
 * A task whose message was lost is taken up a quarter of an hour after it was queued, or after the time for
 * which it waits. A refused message waits for a minute, and for a run that may still work (seconds).
 */
const takenUpSeconds = 900 + 60 + 360;

/** Receives of a message before its task is dead. */
const receives = 5;

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

type Options = {
  ledger: Ledger;
  /** By how much clocks differ at most from each other. */
  skewSeconds: number;
  /** The most receives of the messages of a task that are in a queue. */
  receivesOf: (id: number) => number;
};

const checkDue = ({ ledger, skewSeconds }: Options, after: WireItem, now: number): void => {
  const latest = Math.max(now, numberOf(after, 'postponed_to')) + takenUpSeconds + skewSeconds;
  if (numberOf(after, 'due_at') > latest)
    ledger.violate(
      'lost work is taken up',
      `${after.id?.N} is looked at ${Math.round(numberOf(after, 'due_at') - now)} s from now`,
    );
};

const checkDead = ({ ledger, receivesOf }: Options, after: WireItem): void => {
  const made = receivesOf(numberOf(after, 'id'));
  if (made < receives)
    ledger.violate('dead after five receives', `task ${after.id?.N} is dead after ${made} receives`);
};

/** Checks a write to the table of tasks. `now`: seconds. */
export const checkUnfinished = (
  options: Options,
  before: WireItem | undefined,
  after: WireItem,
  now: number,
): void => {
  if (after.unfinished) checkDue(options, after, now);
  if (after.status?.S === 'dead_letter' && before?.status?.S !== 'dead_letter') checkDead(options, after);
};
