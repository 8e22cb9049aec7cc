/** Rules about how long rows and objects are kept: those that `docs/privacy.md` tells users. */

import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import { rowLateSeconds } from '../services/expiry.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Expired rows are looked for every hour, and a row may be written late. */
const slackSeconds = 2 * hour;

/** Seconds from the first write of a row to its `ttl`; `forever` for a row without one. */
type Life = { least: number; most: number } | 'forever';

const about = (seconds: number): Life => ({ least: seconds - 3 * hour, most: seconds });

const text = (row: WireItem, name: string): string => String(row[name]?.S ?? row[name]?.N ?? '');

/** How long a row of tracking is kept, by the beginning of its sort key. */
const trackingLives: [RegExp, Life][] = [
  [/^import(?:-part#|-turn|#)/, about(7 * day)],
  [/^import-key#/, about(day)],
  [/^import-claim#/, { least: minute, most: hour }],
  [/^alert#/, about(34 * day)],
];

const lives: Record<string, (row: WireItem, settings: { metricsHours: number }) => Life> = {
  TASKS_TABLE: (row) => {
    if (/#counter\d+$/.test(text(row, 'partition'))) return 'forever';
    // A result lives as long as its task.
    if (row.bytes) return { least: minute, most: day };
    return about((row.kind?.S === 'alert' ? 34 : 1) * day);
  },
  TRACKING_TABLE: (row) => {
    if (/^keyword#/.test(text(row, 'pk'))) return about(731 * day);
    // Work in progress is deleted when it is done.
    if (text(row, 'pk') === 'work') return 'forever';
    return trackingLives.find(([sort]) => sort.test(text(row, 'sk')))?.[1] ?? 'forever';
  },
  // A window is a minute, or a day for samples of webhooks.
  LIMITS_TABLE: () => ({ least: minute, most: day + hour }),
  SNAPSHOTS_TABLE: () => ({ least: 1, most: 35 * day }),
  // A claim of a question lasts as long as a request.
  METRICS_TABLE: (row, { metricsHours }) =>
    /^ask /.test(text(row, 'keyword')) ? { least: 1, most: minute } : about(metricsHours * hour),
};

/** For how many days objects are kept. The bucket deletes them from the next midnight on. */
const objectDays: [RegExp, number][] = [
  [/^html\/usual-/, 7],
  [/^html\/tracked-/, 3],
  [/^opened\//, 1],
  [/^(?:html\/long-|results\/\d+\/|deliveries\/\d+\/|alerts\/\d+\/)/, 35],
];

/**
 * Whether a task is made hours after its creation: a request with an `Idempotency-Key` that died is repeated
 * within the day, and makes the tasks that it was to make.
 */
const isLateTask = (row: WireItem, now: number): boolean => Number(row.created_at?.N ?? now) < now - 3 * hour;

type Options = {
  ledger: Ledger;
  world: World;
  metricsHours: number;
  /** By how much clocks differ from that of the world at most. */
  skewSeconds: number;
};

export const newLifetimes = ({ ledger, world, metricsHours, skewSeconds }: Options) => {
  const byTable = new Map(Object.entries(lives).map(([variable, life]) => [world.name(variable), life]));
  /** When each row that is there was made (seconds), by its key. */
  const births = new Map<string, number>();
  const keyOf = (table: string, row: WireItem): string =>
    `${table} ${JSON.stringify(world.tables.keyOf(table, row))}`;

  const checkRow = (table: string, row: WireItem, life: Life, now: number, isNew: boolean): void => {
    if (life === 'forever') {
      if (row.ttl)
        ledger.violate('rows expire', `${keyOf(table, row)} expires, and is kept until it is deleted`);
      return;
    }
    const ttl = Number(row.ttl?.N);
    if (!(ttl <= now + life.most + skewSeconds + 1))
      ledger.violate('rows expire', `${keyOf(table, row)} has the ttl ${row.ttl?.N} at ${now}`);
    else if (isNew && !isLateTask(row, now) && ttl < now + life.least - skewSeconds - 1)
      ledger.violate(
        'rows are kept',
        `${keyOf(table, row)} expires ${Math.round(ttl - now)} s after its first write`,
      );
  };

  return {
    /** Checks a write to a table. `now`: seconds. */
    written: (
      table: string,
      before: WireItem | undefined,
      after: WireItem | undefined,
      now: number,
    ): void => {
      const lifeOf = byTable.get(table);
      const row = after ?? before;
      if (!lifeOf || !row) return;
      const key = keyOf(table, row);
      if (!after) {
        births.delete(key);
        return;
      }
      // A row that is made again has another life.
      const isNew = !before || Number(after.ttl?.N) > Number(before.ttl?.N);
      if (isNew) births.set(key, now);
      checkRow(table, after, lifeOf(after, { metricsHours }), now, isNew);
    },
    /** Looks for rows and objects that are older than any of their kind may be. */
    checkAges: (): void => {
      const now = world.scheduler.now() / 1000;
      for (const [table, lifeOf] of byTable) {
        for (const row of world.tables.wire(table)) {
          const life = lifeOf(row, { metricsHours });
          const age = now - (births.get(keyOf(table, row)) ?? now);
          if (life !== 'forever' && age > life.most + rowLateSeconds + slackSeconds + skewSeconds)
            ledger.violate(
              'storage is bounded',
              `${keyOf(table, row)} is ${Math.round(age / hour)} hours old`,
            );
        }
      }
      for (const key of world.objects.keys()) {
        const days = objectDays.find(([name]) => name.test(key))?.[1];
        const storedAt = world.objects.storedAt(key) / 1000;
        const age = now - storedAt;
        const dueAt = days && Math.ceil((storedAt + days * day) / day) * day;
        if (dueAt !== undefined && world.objectDueAt(key, storedAt * 1000) !== dueAt * 1000)
          ledger.violate('objects are kept for their time', `${key} is not deleted after ${days} days`);
        if (days === undefined || age > (days + 2) * day + slackSeconds)
          ledger.violate('storage is bounded', `${key} is ${Math.round(age / hour)} hours old`);
      }
    },
  };
};
