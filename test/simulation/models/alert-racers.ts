/**
 * Users who ask for crawls a short time before the alert of their project is sent: a result comes while the
 * run that sends it has read the others, and is slow.
 */
import type { World } from '../world/world.ts';

const entry = 'functions/schedule/send-alerts.ts';

/**
 * The crawl is asked for so long before the check is due (milliseconds). It is recorded 90 to 210 s after
 * that, and the run that claims the check begins within a minute of its time, and is held.
 */
const beforeMs = 75_000;
const minuteMs = 60_000;
const heldMs = 95_000;

/** How often the check is looked at. The work of a run takes several times as long. */
const lookMs = 20;

/** The first results of a project come within this time. */
const firstMs = 2 * 3_600_000;

/** `crawl`: asks for the crawl of the keywords of a project. */
export const newAlertRacers = (world: World, crawl: (projectId: number) => Promise<void>) => {
  const { scheduler } = world;

  /** When the check of a project is due (milliseconds); 0 if it is not. */
  const dueAt = (projectId: number): number =>
    1000 *
    Number(
      world.tables.find(world.name('TRACKING_TABLE'), { pk: `project#${projectId}`, sk: 'check#alerts' })
        ?.at ?? 0,
    );

  return async (projectId: number): Promise<void> => {
    await scheduler.sleep(firstMs);
    const due = dueAt(projectId);
    if (due < scheduler.now() + beforeMs) return;
    await scheduler.sleep(due - beforeMs - scheduler.now());
    await crawl(projectId);
    if (scheduler.now() < due) await scheduler.sleep(due - scheduler.now());
    for (let waited = 0; waited < 2 * minuteMs; waited += lookMs) {
      if (dueAt(projectId) > due) return world.hold(entry, heldMs);
      await scheduler.sleep(lookMs);
    }
  };
};
