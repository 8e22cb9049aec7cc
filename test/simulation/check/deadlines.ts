/** A rule about the time by which a task ends. */
import type { Context, Row } from './end.ts';
import type { Acked } from './ledger.ts';

/** From the deadline until the sweeper has ended the task, if its calls take their usual time (seconds). */
const sweepSeconds = 120;

/** How long faults keep the sweeper from a task: each of its runs may be missed, refused or interrupted. */
const faultySeconds = 300;

/** A late call may be so late (seconds). */
const lateScheduleSeconds = 3 * 3600;

/** A client repeats a request without an answer for so long (seconds). */
const repeatedSeconds = 600;

/**
 * A task ends by its deadline, or in the sweep after it. If nothing strikes between its deadline and its end,
 * it ends in two minutes. Tasks that an operator runs again have another life.
 */
export const checkDeadline = ({ world, plan, ledger, endedAt }: Context, task: Acked, row: Row): void => {
  const ended = endedAt.get(task.id);
  if (ended === undefined || ledger.redriven.has(task.id)) return;
  // A request with an `Idempotency-Key` that died may be sent again hours later, and makes its task then.
  const created = Math.max(Number(row.created_at), task.at / 1000 - repeatedSeconds);
  const deadline = created + Number(plan.settings.TASK_DEADLINE) + 2 * plan.skewSeconds;
  const during = world.faults.struck().filter(({ at }) => at >= deadline * 1000 - 60_000 && at <= ended);
  const isLate = during.some(
    ({ key }) => key.startsWith('late schedule') || key.startsWith('missed schedule'),
  );
  const faulty = (during.length > 0 ? faultySeconds : 0) + (isLate ? lateScheduleSeconds : 0);
  const late = ended / 1000 - deadline;
  if (late > sweepSeconds + faulty)
    ledger.violate(
      'tasks end by their deadlines',
      `task ${task.id} (${task.keyword}) ended ${late} s after its deadline`,
    );
};
