/**
 * What DynamoDB and S3 delete because of its age: rows up to 48 hours after their `ttl` and in any order, and
 * objects by the rules of the bucket, up to a day after the midnight at which they are due.
 */
import * as v from 'valibot';
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { LocalTemplate } from '../../../infra/local/template.ts';
import type { History } from '../world/history.ts';
import { hashText } from '../world/random.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Objects } from './objects.ts';
import type { Tables } from './tables.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Expired rows are deleted within this time after their `ttl` (seconds). */
export const rowLateSeconds = 48 * 3600;

/** Expired objects are deleted within this time after the midnight at which they are due (milliseconds). */
const objectLateMs = day;

const Rule = v.object({
  ExpirationInDays: v.number(),
  Prefix: v.optional(v.string(), ''),
  Status: v.literal('Enabled'),
});
type Rule = v.InferOutput<typeof Rule>;

const Bucket = v.object({ LifecycleConfiguration: v.object({ Rules: v.array(Rule) }) });

const rulesOf = (template: LocalTemplate): Rule[] =>
  template
    .all('AWS::S3::Bucket')
    .flatMap(({ properties }) => v.parse(Bucket, properties).LifecycleConfiguration.Rules);

/** From when on an object is due to be deleted: S3 counts days from the midnight after it was stored. */
const objectDueAt = (rules: readonly Rule[], key: string, storedAt: number): number => {
  const days = rules.filter(({ Prefix }) => key.startsWith(Prefix)).map((rule) => rule.ExpirationInDays);
  return Math.ceil((storedAt + Math.min(...days) * day) / day) * day;
};

type Options = {
  template: LocalTemplate;
  seed: number;
  scheduler: Scheduler;
  history: History;
  tables: Tables;
  objects: Objects;
};

/**
 * Looks for what has expired every hour. Half of it goes soon, the rest at any time within its lateness.
 * Returns from when on an object that was stored at a time is due to be deleted (milliseconds).
 */
export const startExpiry = ({ template, seed, scheduler, history, tables, objects }: Options) => {
  const rules = rulesOf(template);
  const lateness = (what: string): number => {
    const drawn = hashText(`${seed}/expiry ${what}`) / 4294967296;
    return drawn < 0.5 ? drawn / 10 : drawn;
  };
  const isRowGone = (now: number) => (table: string, key: WireItem, ttl: number) =>
    ttl + lateness(`${table} ${JSON.stringify(key)}`) * rowLateSeconds <= now;
  const tick = () => {
    scheduler.after(hour, tick);
    const now = scheduler.now();
    const rows = tables.expire(now / 1000, isRowGone(now / 1000));
    const gone = objects.expire(
      (key, at) => objectDueAt(rules, key, at) + lateness(key) * objectLateMs <= now,
    );
    if (rows + gone > 0) history.add('expiry', `${rows} rows, ${gone} objects`);
  };
  scheduler.after(hour, tick);
  return (key: string, storedAt: number): number => objectDueAt(rules, key, storedAt);
};
