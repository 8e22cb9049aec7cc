/**
 * The planner: crawls tracked searches when they are due, each once for all of its subscribers. A search is
 * reserved, with the id of its task, before the task is created. If the process dies between the two,
 * `record-results.ts` finds no task and creates the same one.
 */

import { type TrackedCrawl, trackedRows } from '../../crawl/create.ts';
import type { Project } from '../../model/tracking.ts';
import { type Account, isUsable } from '../../model/user.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { log } from '../../runtime/log.ts';
import type { RunErrors } from '../../runtime/run-errors.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { reserveNumbers } from '../../store/new-tasks.ts';
import { readProject } from '../../store/projects.ts';
import {
  dropSearch,
  dropSubscriber,
  newSearchRow,
  readSearch,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  settleSubscriber,
  writeSearch,
} from '../../store/searches.ts';
import { readAccount } from '../../store/users.ts';
import { acceptReserved } from '../../task/accept.ts';
import { taskId } from '../../task/id.ts';
import { nextDueTime } from '../due-time.ts';
import { checkSeconds } from './check-time.ts';
import { allShards, callWidth, runSeconds, workThrough } from './waiting.ts';

/** What to do with a search whose time has come. `hours`: the time between two crawls. */
export type Plan =
  | { kind: 'leave' | 'drop' }
  | { kind: 'postpone'; hours: number }
  | { kind: 'crawl'; hours: number; payer: Subscriber };

const least = (subscribers: readonly Subscriber[]): number =>
  Math.min(...subscribers.map(({ update_frequency }) => update_frequency));

/**
 * Whether the search must be crawled now: it is due, or a new subscriber's time has come and no crawl has
 * begun since it subscribed.
 */
const isDue = ({ row, subscribers }: Subscribed, now: number): boolean =>
  (row !== undefined && row.at <= now) ||
  subscribers.some(
    ({ first_at, subscribed_at }) =>
      first_at !== undefined && first_at <= now && (row === undefined || row.crawl_at < subscribed_at),
  );

/**
 * Decides on a search. `active`: the subscribers that may pay. A user who asked for the crawl pays for it.
 * Otherwise the payer has the shortest time between two crawls; among equals, they pay by turns.
 */
export const planOf = (subscribed: Subscribed, active: readonly Subscriber[], now: number): Plan => {
  const { row, subscribers } = subscribed;
  // A result that is on its way is one for new subscribers, too.
  if (row?.state === 'running') return { kind: 'leave' };
  if (subscribers.length === 0) return { kind: row ? 'drop' : 'leave' };
  if (!isDue(subscribed, now)) return { kind: 'leave' };
  if (active.length === 0) return { kind: 'postpone', hours: least(subscribers) };
  const hours = least(active);
  const asking = active.filter(({ user_id }) => user_id === row?.asked_by);
  const payers = (
    asking.length > 0 ? asking : active.filter(({ update_frequency }) => update_frequency === hours)
  ).toSorted((a, b) => a.keyword_id - b.keyword_id);
  const payer = payers[(row?.turns ?? 0) % payers.length];
  return payer ? { kind: 'crawl', hours, payer } : { kind: 'leave' };
};

/** Reads accounts and projects, each once for a run. */
const activeOnes = (now: number) => {
  const accounts = new Map<number, Promise<Account | undefined>>();
  const projects = new Map<string, Promise<Project | undefined>>();
  const once = <Key, Value>(known: Map<Key, Promise<Value>>, key: Key, read: () => Promise<Value>) => {
    const value = known.get(key) ?? read();
    known.set(key, value);
    return value;
  };
  const standingOf = async ({ user_id, project_id }: Subscriber): Promise<'active' | 'waiting' | 'gone'> => {
    const project = await once(projects, `${user_id}/${project_id}`, () => readProject(user_id, project_id));
    if (!project) return 'gone';
    const account = await once(accounts, user_id, () => readAccount(user_id));
    return account && isUsable(account, clockOf(now)) && !project.paused ? 'active' : 'waiting';
  };
  return async (subscribers: readonly Subscriber[]): Promise<Record<'active' | 'gone', Subscriber[]>> => {
    const standings = await Promise.all(subscribers.map(standingOf));
    const having = (wanted: string) => subscribers.filter((_, n) => standings[n] === wanted);
    return { active: having('active'), gone: having('gone') };
  };
};

type ToCrawl = { row: SearchRow; payer: Subscriber; hours: number; subscribers: Subscriber[] };

/** Gives each crawl the id of its task: a number of its payer's counters. */
const withIds = async (
  crawls: readonly ToCrawl[],
  now: number,
): Promise<(ToCrawl & { task_id: number })[]> => {
  const numbered: (ToCrawl & { task_id: number })[] = [];
  for (const [userId, ofUser] of Map.groupBy(crawls, ({ payer }) => payer.user_id)) {
    const numbers = await reserveNumbers(userId, ofUser.length);
    numbered.push(
      ...ofUser.map((crawl, n) => ({ ...crawl, task_id: taskId(clockOf(now), numbers[n] ?? 0) })),
    );
  }
  return numbered;
};

/**
 * Takes new subscribers out of the index. Call it once a crawl for them is reserved, or if they need none of
 * their own.
 */
const settle = async (subscribers: readonly Subscriber[]): Promise<void> => {
  for (const subscriber of subscribers) {
    if (subscriber.first_at !== undefined) await settleSubscriber(subscriber);
  }
};

/** Does what a plan says, except for crawls. */
const follow = async (
  { row, subscribers }: Subscribed,
  plan: Exclude<Plan, { kind: 'crawl' }>,
  now: number,
): Promise<void> => {
  if (plan.kind === 'drop' && row) await dropSearch(row);
  if (plan.kind === 'postpone') {
    const [first] = subscribers;
    const from = row ?? (first && newSearchRow(first));
    if (from && !(await writeSearch({ ...from, at: nextDueTime(from.search_hash, plan.hours, now) }))) return;
    await settle(subscribers);
  }
  // The result of a crawl that runs is recorded for new subscribers, and then they leave the index.
  if (plan.kind === 'leave' && row?.state === 'due') {
    await settle(subscribers.filter(({ first_at = now + 1 }) => first_at <= now));
  }
};

/**
 * Reserves a search for its crawl. Returns false if another run has done so. A crawl that a user asked for
 * takes no turn: its user pays for it besides.
 */
const reserve = (
  { row, payer, hours, task_id }: ToCrawl & { task_id: number },
  now: number,
): Promise<boolean> =>
  writeSearch({
    ...row,
    search: payer.search,
    state: 'running',
    at: now + checkSeconds(0),
    next_at: nextDueTime(row.search_hash, hours, now),
    crawl_at: now,
    task_user: payer.user_id,
    task_id,
    checks: 0,
    turns: payer.user_id === row.asked_by ? row.turns : row.turns + 1,
    ...(row.asked_by && { asked_by: 0 }),
  });

/** Calls `work` for each item. Returns the items for which it failed. */
const each = async <Item>(
  items: readonly Item[],
  errors: RunErrors,
  work: (item: Item) => Promise<void>,
): Promise<Item[]> => {
  const failed: Item[] = [];
  await inParallel(items, callWidth, async (item) => {
    try {
      await work(item);
    } catch (error) {
      errors.add(error);
      failed.push(item);
    }
  });
  return failed;
};

type Active = ReturnType<typeof activeOnes>;

/** Plans searches. Returns the number of crawls, and the searches that could not be handled. */
const planBatch = async (
  hashes: readonly string[],
  activeOf: Active,
  now: number,
  errors: RunErrors,
): Promise<{ crawls: number; left: string[] }> => {
  const toCrawl: ToCrawl[] = [];
  const unread = await each(hashes, errors, async (hash) => {
    const { row: before, subscribers: all } = await readSearch(hash);
    const { active, gone } = await activeOf(all);
    // Left by a request that added keywords while its project was deleted.
    for (const subscriber of gone) await dropSubscriber(subscriber);
    const subscribed = {
      ...(before && { row: before }),
      subscribers: all.filter((each) => !gone.includes(each)),
    };
    const plan = planOf(subscribed, active, now);
    if (plan.kind !== 'crawl') return follow(subscribed, plan, now);
    const { row = newSearchRow(plan.payer), subscribers } = subscribed;
    toCrawl.push({ row, payer: plan.payer, hours: plan.hours, subscribers });
  });
  const reserved: TrackedCrawl[] = [];
  const unreserved = await each(await withIds(toCrawl, now), errors, async (crawl) => {
    if (!(await reserve(crawl, now))) return;
    reserved.push({ user_id: crawl.payer.user_id, id: crawl.task_id, search: crawl.payer.search });
    await settle(crawl.subscribers);
  });
  if (reserved.length > 0) {
    // This run alone has reserved the ids, and the recorder looks at them later than this run may last: no
    // task can exist yet.
    await acceptReserved(await trackedRows(reserved));
  }
  return { crawls: reserved.length, left: [...unread, ...unreserved.map(({ row }) => row.search_hash)] };
};

/**
 * Plans the searches of the shards that are due at `now`. Runs for different shards, and repeated runs, may
 * overlap: each crawl is reserved once. Returns the number of crawls that it has begun.
 */
export const planSearches = async (
  shards: readonly number[] = allShards,
  now = calendar(),
  isOver = timeLimit(runSeconds),
): Promise<number> => {
  const activeOf = activeOnes(now);
  let planned = 0;
  const { overdueSeconds } = await workThrough({
    state: 'due',
    shards,
    now,
    isOver,
    work: async (hashes, errors) => {
      const { crawls, left } = await planBatch(hashes, activeOf, now, errors);
      planned += crawls;
      return left;
    },
  });
  log.info(
    'searches planned',
    { searches: planned },
    { SearchesPlanned: planned, ...(overdueSeconds > 0 && { OverdueSearchSeconds: overdueSeconds }) },
  );
  return planned;
};
