/**
 * Rules about the turns at an engine with a rate: each run takes its own turn, a short time before its first
 * page, and the runs of a user that begin before their turns have a tenth of the rate.
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { RequestedPage } from '../code/instance.ts';
import { isStill, type Plan } from '../plan/plan.ts';
import type { Ledger } from './ledger.ts';

/**
 * A run that comes back later than so after its turn must take another one (seconds); and the time from its
 * turn to its first request, in which faults make some calls slow.
 */
const lateSeconds = { still: 5 + 2, faulty: 5 + 40 };

/** Of a turn that is not the next one, the time until it is longer than the function waits (seconds). */
const soonSeconds = 0.2;

/** A search that begins so soon after its creation has not come back for its turn (seconds). */
const promptSeconds = 3.5;

/** A user has one of so many turns before their time, and may have those of so long together (seconds). */
const allowance = { oneOf: 10, seconds: 20 + 2 };

/** The turn of a free line is written so long after the time that it is counted from (seconds). */
const writtenSeconds = { still: 0.3, faulty: 12 };

/** A turn that was taken, and between which limits its seconds are. */
type Turn = { at: number; least: number; most: number };

type Early = { from: number; seconds: number };

type Options = { ledger: Ledger; plan: Plan; rowOf: (id: number) => WireItem | undefined };

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

export const newTurns = ({ ledger, plan, rowOf }: Options) => {
  const { rated, skewSeconds, deployAt } = plan;
  const isCalm = isStill(plan);
  const late = isCalm ? lateSeconds.still : lateSeconds.faulty;
  const written = isCalm ? writtenSeconds.still : writtenSeconds.faulty;
  let turns: Turn[] = [];
  const begun = new Set<string>();
  /** When the latest run of each task began (seconds). */
  const last = new Map<number, number>();
  // A message that comes twice brings its turn twice, and both may lead to a run if the first is throttled.
  const mayComeTwice = Boolean(plan.rates.duplicate || plan.rates['lost acknowledgement']);
  /** What each user has had before its time: since when, and how many seconds of the line. */
  const early = new Map<number, Early>();

  /** Counts a run that has begun before its turn. */
  const checkEarly = (id: number, seconds: number, now: number): void => {
    const user = numberOf(rowOf(id), 'user_id');
    const known = early.get(user) ?? { from: now, seconds: 0 };
    if (known.seconds * allowance.oneOf > now - known.from + allowance.seconds)
      ledger.violate(
        'turns before others are limited',
        `user ${user} has had ${known.seconds} s of turns before their time in ${Math.round(now - known.from)} s`,
      );
    early.set(user, { ...known, seconds: known.seconds + seconds });
  };

  return {
    /** Notes a write to the table of the pace. `now`: seconds. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      if (!rated || after?.line?.S !== rated.engine) return;
      const [former, next] = [before, after].map((item) => numberOf(item, 'free_at'));
      const isProbe = numberOf(after, 'rested_until') > numberOf(before, 'rested_until');
      if (isProbe) turns.push({ at: now, least: 0, most: Number.POSITIVE_INFINITY });
      if (former === undefined || next === undefined || next <= former) return;
      const seconds = next - Math.max(former, now);
      const isExact = former > now;
      // Sums of fractions are not exact.
      const most = seconds + (isExact ? 0.01 : written);
      turns.push({ at: isExact ? former : now, least: seconds - 0.01, most });
    },
    /** A run requests a page. */
    asked: ({ engine, id, attempt, page }: RequestedPage, now: number): void => {
      const run = `${id} ${attempt}`;
      if (!rated || engine !== rated.engine || page > 1 || begun.has(run)) return;
      begun.add(run);
      if (skewSeconds > 0 || deployAt > 0) return;
      const row = rowOf(id);
      const seconds = ((row?.pages?.L ?? []) as unknown[]).length / rated.rate;
      turns = turns.filter(({ at }) => at > now - late);
      const fitting = turns
        .filter(({ least, most }) => seconds >= least && seconds <= most)
        // The one that has the fewest seconds too many, or runs of fewer pages would find none.
        .toSorted((a, b) => b.least - a.least);
      const due = fitting.find(({ at }) => at < now + soonSeconds);
      const own = due ?? fitting[0];
      const isAgain = mayComeTwice && now < (last.get(id) ?? Number.NEGATIVE_INFINITY) + late;
      last.set(id, now);
      if (!own && isAgain) return;
      if (!own) {
        ledger.violate('runs have turns', `run ${attempt} of task ${id} asks ${engine} without a turn`);
        return;
      }
      turns.splice(turns.indexOf(own), 1);
      if (!due && isCalm && now < numberOf(row, 'created_at') + promptSeconds) checkEarly(id, seconds, now);
    },
  };
};
