/**
 * Processes that end, in some worlds, when the planner has reserved a crawl and its task may not be there
 * yet. Half of the time, an operator then disables the user who was to pay for it.
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { World } from '../world/world.ts';

const kind = 'crash of a planner';

/** The planner makes the tasks of its crawls within some calls (milliseconds). */
const longestMs = 16;

const disabledMs = 10_000;

/** `disable`: disables the user with this id. */
export const newPlannerCrashes = (world: World, disable: (userId: number) => void) => ({
  /** Notes a write to the table of tracking. */
  written: (before: WireItem | undefined, after: WireItem | undefined): void => {
    const isBegun =
      after?.sk?.S === 'search' && after.state?.S === 'running' && before?.task_id?.N !== after.task_id?.N;
    if (!isBegun || !world.faults.strikes(kind, String(after.pk?.S))) return;
    const amount = world.faults.amount(kind, 2 * longestMs);
    world.endProcesses(amount % longestMs);
    if (amount >= longestMs) world.scheduler.after(disabledMs, () => disable(Number(after.task_user?.N)));
  },
});
