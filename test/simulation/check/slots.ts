/**
 * A rule about the slots of users, which are counted in windows: those of webhooks under way (Reading 32) and
 * of requests that wait (Readings 41 and 45). Once what has taken them has ended, they are free.
 */
import type { Plan } from '../plan/plan.ts';
import { firstDay, type World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

/** The slots of a kind, and the length of their windows in seconds. */
const kinds: Record<string, number> = { deliveries: 300, waits: 30 };

/** A fault so long before or after a window can have ended what holds a slot, or its release (seconds). */
const besideSeconds = 60;

/** Processes are replaced so long after a deployment begins. */
const replacedSeconds = [0, 120, 240];

type Options = { world: World; plan: Plan; ledger: Ledger; userIds: readonly number[] };

export const checkSlots = ({ world, plan, ledger, userIds }: Options): void => {
  // A search that ends its process takes the slots with it.
  if (plan.skewSeconds > 0 || plan.mendedAt > 0) return;
  const times = world.faults.struck().map(({ at }) => at / 1000);
  const deployed = [plan.deployAt, plan.rollbackAt]
    .filter((at) => at > 0)
    .flatMap((at) => replacedSeconds.map((seconds) => (firstDay + at) / 1000 + seconds));
  const disturbed = [...times, ...deployed];
  for (const { key, hits } of world.tables.all(world.name('LIMITS_TABLE'))) {
    const [kind = '', ...parts] = String(key).split('#');
    const seconds = kinds[kind];
    const end = Number(parts.at(-1));
    if (seconds === undefined || Number(hits) === 0) continue;
    // A slow receiver keeps the slot until the end of its window.
    const user = kind === 'deliveries' ? userIds.indexOf(Number(parts[0])) : -1;
    if (plan.receivers[user] === 'slow') continue;
    const isQuiet = disturbed.every((at) => at < end - seconds - besideSeconds || at > end + besideSeconds);
    if (isQuiet) ledger.violate('slots become free', `${hits} slots of ${key} are still taken`);
  }
};
