/** What is noted of writes to tables, for rules about webhooks, projects and users. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Plan } from '../plan/plan.ts';
import type { World } from '../world/world.ts';
import { newAges } from './ages.ts';
import { newAskedChecks } from './asked-checks.ts';
import { newAttempts } from './attempts.ts';
import { newBatchEnds } from './batch-ends.ts';
import type { Ledger } from './ledger.ts';
import { checkOwner } from './owners.ts';
import { newRested } from './rested.ts';
import { checkSlots, newSlots } from './slots.ts';
import { checkImportTurn, newWorks } from './works.ts';

/** A request may fail because of a fault so long before its answer (milliseconds). */
const failingMs = 60_000;

/** Faults after which calls are refused, late or incomplete, and none fails. */
const isRefusing =
  /^(?:throttled call|refused|unprocessed|slow call|duplicate|reorder|late|stale|missed|double|throttled function)/;

type Options = { world: World; plan: Plan; ledger: Ledger };

export const newTableWatchers = ({ world, plan, ledger }: Options) => {
  const { now } = world.scheduler;
  const { struck } = world.faults;
  const [tasks, tracking, users] = ['TASKS_TABLE', 'TRACKING_TABLE', 'USERS_TABLE'].map(world.name);
  const ages = newAges(ledger, 2 * plan.skewSeconds);
  const attempts = newAttempts({ ledger, plan, struck });
  const batchEnds = newBatchEnds({ ledger, plan, struck });
  const askedChecks = newAskedChecks(ledger);
  const slots = newSlots({ world, plan, ledger });
  const works = newWorks({ ledger, plan, struck });
  const rested = newRested({ ledger, plan, struck });
  /** When the secrets of each user were replaced last (seconds). */
  const replacedAt = new Map<number, number>();

  return {
    written: (table: string, before: WireItem | undefined, after: WireItem | undefined): void => {
      if (table === tasks) {
        ages.written(before, after, now() / 1000);
        attempts.written(before, after, now());
        batchEnds.written(before, after, now());
        checkOwner({ ledger, now: now(), skewSeconds: plan.skewSeconds }, before, after);
      }
      if (table === tracking) {
        works.written(before, after, now());
        askedChecks.written(before, after);
        checkImportTurn(ledger, before, after, (key) => world.tables.find(table, key));
        rested.written(before, after, now());
      }
      const isReplaced = JSON.stringify(before?.webhook_secrets) !== JSON.stringify(after?.webhook_secrets);
      if (table === users && before && after && isReplaced) replacedAt.set(Number(after.id?.N), now() / 1000);
    },
    sent: slots.sent,
    logged: (line: string): void => ages.logged(line, now() / 1000),
    /** A request that is refused for lack of capacity can be sent again later, and is no error (503). */
    answered: (status: number, path: string): void => {
      const isFailed = struck().some(({ key, at }) => at > now() - failingMs && !isRefusing.test(key));
      if (status === 500 && !isFailed && plan.deployAt === 0)
        ledger.violate('refusals are no errors', `${path} is answered with 500, and no call has failed`);
    },
    /** The secrets that sign the webhooks of a user, and until when those but the newest one do. */
    receiverOf: (id: number) => {
      const row = world.tables.find(world.name('USERS_TABLE'), { id });
      return {
        id,
        secrets: (row?.webhook_secrets ?? []) as string[],
        formerUntil: Number(row?.former_secret_until ?? 0),
        replacedAt: replacedAt.get(id) ?? 0,
      };
    },
    /** `userIds`: those of the users of the plan. */
    end: (userIds: readonly number[]): void => {
      works.end(now());
      rested.end(world.tables.all(world.name('TRACKING_TABLE')), now());
      checkSlots({ world, plan, ledger, userIds });
    },
  };
};
