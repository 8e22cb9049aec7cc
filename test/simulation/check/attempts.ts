/**
 * Rules about when attempts at webhooks begin (Reading 32): the first one soon after its task has ended or
 * somebody has asked for the webhook again, the others after their delays, and parking after the last one.
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Plan } from '../plan/plan.ts';
import { refusedMs, type Struck } from '../world/faults.ts';
import { firstDay } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

/** Seconds before an attempt, by its number; the last one is that before parking. */
const delays = [0, 0, 60, 120, 240, 480, 0];

/** If nothing goes wrong, an attempt begins so soon after its time, and no sooner. */
const usualSeconds = 10;
const earlySeconds = 1;

/** Webhooks wait for others of slow receivers, whose attempts last 10 s. */
const slowSeconds = 120;

/** The queue or the machine may lose an attempt, and so may the sweeper, which then has it made. */
const faultySeconds = 600;

/** A scheduled call may be so late. */
const lateScheduleSeconds = 3 * 3600;

/** The attempt that a webhook waits for, and since when (milliseconds). 6: it waits to be parked. */
type Wait = { delivery: string; next: number; since: number };

type Options = { ledger: Ledger; plan: Plan; struck: () => readonly Struck[] };

const text = (item: WireItem | undefined, name: string): string => String(item?.[name]?.S ?? '');

export const newAttempts = ({ ledger, plan, struck }: Options) => {
  const waits = new Map<number, Wait>();
  const isOnTime = plan.skewSeconds === 0 && plan.deployAt === 0;
  /** Until then, searches end processes. Each of them counts as a fault once. */
  const mendedAt = plan.mendedAt === 0 ? 0 : firstDay + plan.mendedAt;

  const checkWait = ({ delivery, next, since }: Wait, now: number): void => {
    const late = (now - since) / 1000 - (delays[next] ?? 0);
    const during = struck().filter(({ at }) => at >= since - refusedMs && at <= now);
    const isLate = during.some(({ key }) => /^(?:late|missed) schedule/.test(key));
    const isQuiet = isOnTime && during.length === 0 && since >= mendedAt;
    const most =
      (isQuiet ? usualSeconds : faultySeconds) +
      (plan.receivers.includes('slow') && next === 1 ? slowSeconds : 0) +
      (isLate ? lateScheduleSeconds : 0) +
      2 * plan.skewSeconds;
    if (late > most || (isQuiet && late < -earlySeconds))
      ledger.violate(
        'attempts are made in time',
        `attempt ${next} of ${delivery} began ${late} s after its time`,
      );
  };

  return {
    /** Notes a write to the row of a task or a batch. `now`: milliseconds. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      const id = Number((after ?? before)?.id?.N);
      const delivery = text(after, 'delivery');
      const [from, to] = [before, after].map((item) => text(item, 'delivery_state'));
      if (!after || delivery === '') {
        waits.delete(id);
        return;
      }
      const attempt = Number(after.delivery_attempt?.N ?? 0);
      const wait = waits.get(id);
      const isMade = text(before, 'delivery') !== delivery;
      const isAskedFor = from !== 'pending' && to === 'pending' && attempt === 0;
      if (isMade || isAskedFor) waits.set(id, { delivery, next: 1, since: now });
      else if (from === 'pending' && to === 'sending') {
        if (wait?.next === attempt) checkWait(wait, now);
        waits.delete(id);
      } else if (from === 'sending' && to === 'pending')
        waits.set(id, { delivery, next: attempt + 1, since: now });
      else if (to === 'delivered' || to === 'parked') {
        if (from === 'pending' && to === 'parked' && wait) checkWait(wait, now);
        waits.delete(id);
      }
    },
  };
};
