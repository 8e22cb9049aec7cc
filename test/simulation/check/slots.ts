/**
 * A rule about the slots of users, which are counted in windows: those of webhooks under way (Reading 32) and
 * of requests that wait (Readings 41 and 45). Once what has taken them has ended, they are free.
 */
import type { Plan } from '../plan/plan.ts';
import { slotWindowMs } from '../plan/slow-crowds.ts';
import { presentInvocation } from '../services/lambda.ts';
import { firstDay, type World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

/** The slots of a kind, and the length of their windows in seconds. */
const kinds: Record<string, number> = { deliveries: 300, waits: 30 };

/** A fault so long before or after a window can have ended what holds a slot, or its release (seconds). */
const besideSeconds = 60;

/** Processes are replaced so long after a deployment begins. */
const replacedSeconds = [0, 120, 240];

/** A slow receiver answers after ten seconds, so an attempt is under way for longer (milliseconds). */
const underWayMs = 9500;

/** Webhooks of a user are in so many invocations of the consumer at a time. */
const slotsOfUser = 2;

const consumer = 'functions/postback/deliver.ts';

type Records = { Records?: { eventSourceARN?: string }[] };

/**
 * Receivers that hang delay two batches of the consumer at most: the others of their user wait in the patient
 * queue, where they delay only each other.
 */
export const newSlots = ({ world, plan, ledger }: Omit<Options, 'userIds'>) => {
  /** The last attempts of each user, and the invocations that make them. */
  const attempts = new Map<number, { at: number; by: object }[]>();
  return {
    /** An attempt at a webhook of a user is sent. */
    sent: (user: number): void => {
      const by = presentInvocation();
      const at = world.scheduler.now();
      const [record] = (by?.event as Records | undefined)?.Records ?? [];
      const isPatient = record?.eventSourceARN?.includes('Patient');
      const isGood = plan.goodFrom > 0 && at >= firstDay + plan.goodFrom;
      if (by?.entry !== consumer || isPatient || plan.receivers[user] !== 'slow' || isGood) return;
      const known = (attempts.get(user) ?? []).filter((each) => each.at > at - underWayMs);
      attempts.set(user, [...known, { at, by }]);
      const batches = new Set([...known.map((each) => each.by), by]).size;
      const isQuiet = world.faults.struck().every((fault) => fault.at < at - 2 * slotWindowMs);
      if (batches > slotsOfUser && isQuiet && plan.skewSeconds === 0 && plan.deployAt === 0)
        ledger.violate(
          'slow receivers delay two batches',
          `webhooks of user ${user} are under way in ${batches} batches of the consumer`,
        );
    },
  };
};

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
