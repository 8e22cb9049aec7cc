/** Clients that wait for the results of their searches (Reading 41). */
import { isFinal } from '../check/end.ts';
import type { Ledger } from '../check/ledger.ts';
import type { Action, Search } from '../plan/action.ts';
import { isStill, type Plan } from '../plan/plan.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

/** A live call waits for 25 s at most, and its calls take some time. */
const liveMs = 26_000;

/** It is not answered before with a task that has not ended, if nothing goes wrong. */
const unfinishedMs = 20_000;

/** So many refusals in a row cause a rest. */
const refusalsBeforeRest = 20;

type Live = Extract<Action, { kind: 'live' }>;

type Options = {
  world: World;
  plan: Plan;
  ledger: Ledger;
  /** Sends a request that creates tasks. */
  create: (user: number, path: string, body: object) => Promise<Reply>;
  /** Notes a task that was acknowledged. */
  ack: (user: number, body: Reply['body'], search: Search, kind: 'serp', version?: 'v1') => void;
  bodyOf: (user: number, search: Search) => object;
};

export const newLiveClients = ({ world, plan, ledger, create, ack, bodyOf }: Options) => {
  const { scheduler } = world;
  const live = async ({ user, search }: Live): Promise<void> => {
    const path = '/api/v1/serp/bing/crawl/live';
    const from = scheduler.now();
    const reply = await create(user, path, bodyOf(user, { ...search, engine: 'bing' }));
    const tookMs = scheduler.now() - from;
    const isAlone = world.faults.struck().every((fault) => fault.at < from);
    if (isAlone && tookMs > liveMs)
      ledger.violate('live calls end in time', `a live call took ${tookMs} ms, and nothing struck meanwhile`);
    if (isStill(plan) && (tookMs > liveMs || reply.status >= 500))
      ledger.violate(
        'live calls end in time',
        `a live call was answered with ${reply.status} after ${tookMs} ms`,
      );
    if (isStill(plan) && tookMs < unfinishedMs && reply.status === 200 && !isFinal(String(reply.body.status)))
      ledger.violate(
        'live calls wait for their tasks',
        `a live call was answered with ${reply.body.status} after ${tookMs} ms`,
      );
    if (reply.status === 200) ack(user, reply.body, { ...search, engine: 'bing' }, 'serp');
  };
  /** Until when an engine rests (milliseconds); 0 if it does not. */
  const restOf = (engine: string): number => {
    const line = world.tables.find(world.name('PACE_TABLE'), { line: engine });
    return Number(line?.walls ?? 0) < refusalsBeforeRest ? 0 : Number(line?.rested_until ?? 0) * 1000;
  };
  /** Whether a search of the user has succeeded, so that its pages are stored. */
  const isKnown = (user: number, keyword: string): boolean => {
    const ids = ledger.acked.flatMap((it) => (it.user === user && it.keyword === keyword ? [it.id] : []));
    return world.tables
      .all(world.name('TASKS_TABLE'))
      .some(({ id, status }) => status === 'success' && ids.includes(Number(id)));
  };
  /** While an engine rests for longer than a call may wait, a task is made only if stored pages answer it. */
  const liveAtRest = async ({ user, search, isStored }: Live): Promise<void> => {
    const from = scheduler.now();
    const rest = restOf(search.engine);
    const isAnswered = isStored === true && isKnown(user, search.keyword);
    const reply = await create(user, `/api/v1/serp/${search.engine}/crawl/live`, bodyOf(user, search));
    if (reply.status === 200) ack(user, reply.body, search, 'serp', 'v1');
    const isResting = rest > from + liveMs && restOf(search.engine) === rest;
    const isQuiet = world.faults.struck().every((fault) => fault.at < from - liveMs);
    if (!isResting || !isQuiet || plan.skewSeconds > 0 || reply.status === 401) return;
    if (isAnswered !== (reply.status === 200))
      ledger.violate(
        isAnswered ? 'stored pages answer live calls at rest' : 'live calls are refused at rest',
        `a live call was answered with ${reply.status} ${Math.round((rest - from) / 1000)} s before the end of a rest`,
      );
  };
  return { live, liveAtRest };
};
