/**
 * The rate limiter of the engines, with a circuit breaker. Before a run starts, it takes a turn for each of its pages. The engine's rate is
 * the number of turns per second. An engine that blocks too many runs in a row is rested, longer each time. After a rest, one run
 * probes it.
 */
import { isRealEngine } from '../fetcher/choose.ts';
import { type EngineName, engines } from '../model/engine.ts';
import { engineSetting } from '../model/settings.ts';
import type { CrawlMessage } from '../model/workflow.ts';
import { setting } from '../runtime/env.ts';
import { log } from '../runtime/log.ts';
import {
  claimProbe,
  countWall,
  readPace,
  reserveTurn,
  resetWalls,
  restEngine,
  takeFreeTurn,
  takeNextTurn,
} from '../store/pace.ts';
import { readRow } from '../store/tasks.ts';
import { deadlineOf } from '../task/deadline.ts';
import { createdAt } from '../task/id.ts';
import type { BlockSignal } from './block-signal.ts';
import { findSnapshot } from './reuse.ts';

/** Runs in a row that an engine blocks (`wall`) before it is rested. */
export const wallsBeforeRest = 20;

/** The function itself waits for a turn that comes so soon, because SQS delays are whole seconds. */
const patienceSeconds = 2;

/** How long the probe after a rest has before another run may probe. Longer than a page usually takes. */
const probeSeconds = 30;

/** The pause after the n-th refusal in a row: 10 s, doubled each time, at most 15 minutes. */
export const pauseSeconds = (refusals: number): number => Math.min(10 * 2 ** (refusals - 1), 900);

/** Pages per second; 0 = unlimited. The sandbox and custom origins are unlimited by default. */
export const rateOf = (engine: EngineName): number => {
  const given = setting(engineSetting(engine, 'RATE'));
  if (given !== '') return Number(given);
  return isRealEngine(engine) ? engines[engine].politeRate : 0;
};

/**
 * `go`: the run may start at `at`, at most `patienceSeconds` from now. If it is the probe after a rest, `probe` is the number of walls
 * before it, otherwise null. `wait`: request a turn again at `at`. Infinity means that no turn is left before the task's deadline.
 */
export type TurnDecision =
  | { outcome: 'go'; at: number; probe: number | null }
  | { outcome: 'wait'; at: number };

/** Whether the run will send requests to the engine. It will not if it only parses pages of an earlier run or of a snapshot. */
const asksEngine = async ({ user_id, id }: CrawlMessage, now: number): Promise<boolean> => {
  const row = await readRow(user_id, id, now);
  if (row?.status === 'awaiting') return (await findSnapshot(row, now)) === undefined;
  return row?.status === 'crawling';
};

/** Requests the turns of a run. Costs one write if the engine is free. */
export const requestTurn = async (message: CrawlMessage, now = Date.now() / 1000): Promise<TurnDecision> => {
  const { engine, pages, not_before: promised } = message;
  if (promised !== undefined && promised > now + patienceSeconds) return { outcome: 'wait', at: promised };
  const rate = rateOf(engine);
  if (rate === 0 || !(await asksEngine(message, now))) return { outcome: 'go', at: now, probe: null };
  const request = { now, seconds: pages / rate, hasWaited: promised !== undefined };

  if (await takeFreeTurn(engine, request, wallsBeforeRest)) return { outcome: 'go', at: now, probe: null };
  const seen = await readPace(engine);
  if (seen.walls < wallsBeforeRest) {
    const at = await takeNextTurn(engine, request, wallsBeforeRest, now + patienceSeconds);
    if (at !== undefined) return { outcome: 'go', at, probe: null };
  } else if (seen.rested_until <= now && (await claimProbe(engine, seen, now + probeSeconds))) {
    return { outcome: 'go', at: now, probe: seen.walls };
  }
  const from = Math.max(now, seen.free_at, seen.rested_until);
  const reserved = await reserveTurn(engine, request, from, deadlineOf(createdAt(message.id)));
  return { outcome: 'wait', at: reserved === undefined ? Infinity : Math.max(reserved, seen.free_at) };
};

/** Records in the engine's row what the run says about the engine, and rests the engine after too many walls. */
export const recordSignal = async (
  engine: EngineName,
  turn: Extract<TurnDecision, { outcome: 'go' }>,
  signal: BlockSignal,
  now = Date.now() / 1000,
): Promise<void> => {
  if (signal === null || rateOf(engine) === 0) return;
  if (signal === 'open') return resetWalls(engine);
  const walls = turn.probe === null ? await countWall(engine, wallsBeforeRest) : turn.probe + 1;
  if (walls === undefined || walls < wallsBeforeRest) return;
  const seconds = pauseSeconds(walls - wallsBeforeRest + 1);
  await restEngine(engine, walls, now + seconds);
  log.warn('engine rested', { engine, walls, seconds }, { EngineRests: 1 });
};
