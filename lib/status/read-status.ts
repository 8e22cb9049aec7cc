/** The health of the engines, their fetchers and the queues. The answer is kept for some seconds. */

import { isRealEngine, isSandbox } from '../fetcher/choose.ts';
import { presentOrder } from '../fetcher/present-order.ts';
import { type EngineName, engineNames } from '../model/engine.ts';
import type { FetcherName } from '../model/fetchers.ts';
import type { EngineStatus, ServiceStatus } from '../model/service-status.ts';
import { healthLine } from '../pace/fetcher-health.ts';
import { engineLines } from '../pace/lines.ts';
import { presentRate, wallsBeforeRest } from '../pace/rest.ts';
import { keepFor } from '../runtime/keep-for.ts';
import { readLine } from '../store/pace.ts';
import type { LinePace } from '../store/pace-rows.ts';
import type { UnfinishedWork } from '../store/partitions.ts';
import { readOverdue } from '../store/unfinished.ts';
import { createdAt } from '../task/id.ts';
import { countQueue, queueNames } from '../task/queue-counts.ts';

const keptSeconds = 5;

type Rest = Pick<EngineStatus, 'state' | 'failures' | 'rested_until'>;

const stateOf = ({ walls, rested_until }: LinePace, now: number): Rest['state'] => {
  if (walls < wallsBeforeRest) return 'in_use';
  return rested_until > now ? 'resting' : 'probe';
};

/** An engine without a limit of its rate, and a fetcher without an alternative, are never rested. */
const unwatched: Rest = { state: 'in_use', failures: 0, rested_until: 0 };

/** The rest of the line with the most failures. */
const restOf = async (lines: readonly string[], now: number): Promise<Rest> => {
  const paces = await Promise.all(lines.map((line) => readLine(line)));
  const worst = paces.reduce((one, other) => (other.walls > one.walls ? other : one));
  return {
    state: stateOf(worst, now),
    failures: worst.walls,
    rested_until: Math.ceil(worst.rested_until),
  };
};

const statusOf = async (name: EngineName, now: number): Promise<EngineStatus> => {
  const [rate, order] = await Promise.all([presentRate(name), presentOrder(name)]);
  const ofFetcher = async (fetcher: FetcherName) => ({
    name: fetcher,
    ...(rate === 0 || order.length === 1 ? unwatched : await restOf([healthLine(name, fetcher)], now)),
  });
  const [rest, fetchers] = await Promise.all([
    rate === 0 ? unwatched : restOf(engineLines(name, rate), now),
    Promise.all(order.map(ofFetcher)),
  ]);
  return {
    name,
    source: isSandbox(name) ? 'sandbox' : isRealEngine(name) ? 'live' : 'custom',
    pages_per_second: rate,
    ...rest,
    fetchers,
  };
};

/**
 * Age of the oldest task among the first ones of the partitions of the index, in the order in which the
 * sweeper takes them.
 */
const oldestSeconds = async (work: UnfinishedWork, now: number): Promise<number> => {
  const first = await readOverdue(work, { to: Number.MAX_SAFE_INTEGER }, 1).next();
  return first.done ? 0 : Math.max(0, ...first.value.map(({ id }) => now - createdAt(id)));
};

export const readStatus = keepFor(keptSeconds, async (now): Promise<ServiceStatus> => {
  const [engines, queues, oldest_task_seconds, oldest_webhook_seconds] = await Promise.all([
    Promise.all(engineNames.map((name) => statusOf(name, now))),
    Promise.all(queueNames.map(async (name) => ({ name, ...(await countQueue(name)) }))),
    oldestSeconds('task', now),
    oldestSeconds('delivery', now),
  ]);
  return { engines, queues, oldest_task_seconds, oldest_webhook_seconds };
});
