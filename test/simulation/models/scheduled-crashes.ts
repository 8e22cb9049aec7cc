/**
 * Processes that end, in some worlds, when the planner has reserved a crawl and its task may not be there
 * yet, or while the alert of a project is sent. Half of the time, an operator then disables the user who was
 * to pay for the crawl.
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { World } from '../world/world.ts';

const ofPlanner = 'crash of a planner';
const ofAlert = 'crash of an alert';

/** The planner makes the tasks of its crawls within some calls, an alert takes some twenty (milliseconds). */
const plannerMs = 16;
const alertMs = 120;

const disabledMs = 10_000;

const isReserved = (before: WireItem | undefined, after: WireItem): boolean =>
  after.sk?.S === 'search' && after.state?.S === 'running' && before?.task_id?.N !== after.task_id?.N;

/** A run claims the check of a project: it makes it due later. */
const isClaimed = (before: WireItem | undefined, after: WireItem): boolean =>
  after.sk?.S === 'check#alerts' &&
  before?.slot?.N === after.slot?.N &&
  Number(after.at?.N ?? 0) > Number(before?.at?.N ?? Number.POSITIVE_INFINITY);

/** `disable`: disables the user with this id. */
export const newScheduledCrashes = (world: World, disable: (userId: number) => void) => ({
  /** Notes a write to the table of tracking. */
  written: (before: WireItem | undefined, after: WireItem | undefined): void => {
    if (!after) return;
    const name = String(after.pk?.S);
    if (isClaimed(before, after) && world.faults.strikes(ofAlert, name))
      world.endProcesses(world.faults.amount(ofAlert, alertMs));
    if (!isReserved(before, after) || !world.faults.strikes(ofPlanner, name)) return;
    const amount = world.faults.amount(ofPlanner, 2 * plannerMs);
    world.endProcesses(amount % plannerMs);
    if (amount >= plannerMs) world.scheduler.after(disabledMs, () => disable(Number(after.task_user?.N)));
  },
});
