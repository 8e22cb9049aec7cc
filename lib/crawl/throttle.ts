/**
 * How often an engine is asked: a turn for each page, as many a second as its rate says, taken before a run starts. An engine that walls
 * us off is rested, longer each time, and asked by one run alone after each rest.
 */
import { isRealEngine } from '../fetcher/choose.ts';
import { type EngineName, engineSetting, engines } from '../model/engine.ts';
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

/** Walled runs in a row before an engine is rested. */
export const wallsBeforeRest = 20;

/** A turn that comes so soon is waited for in hand; SQS counts in whole seconds. */
const patienceSeconds = 2;

/** How long the one run after a rest has before another may try: longer than a page takes as a rule. */
const probeSeconds = 30;

/** The pause after the n-th refusal in a row: 10 s, doubling, at most a quarter of an hour. */
export const pauseSeconds = (refusals: number): number => Math.min(10 * 2 ** (refusals - 1), 900);

/** Pages per second; 0 = unlimited. The sandbox and custom origins are unlimited by default. */
export const rateOf = (engine: EngineName): number => {
  const name = engineSetting(engine, 'RATE');
  const given = setting(name);
  if (given === '') return isRealEngine(engine) ? engines[engine].politeRate : 0;
  const rate = Number(given);
  if (!(rate >= 0 && Number.isFinite(rate)))
    throw new Error(`${name} must be a number of pages per second, 0 or more`);
  return rate;
};

/**
 * `go`: the run may start at `at`, moments from now at most; after a rest, it is the one that tries for all (`probe`: walls before it).
 * `wait`: come back at `at`; Infinity: there is no turn before the task's deadline.
 */
export type TurnDecision =
  | { outcome: 'go'; at: number; probe: number | null }
  | { outcome: 'wait'; at: number };

/** Whether the run will ask the engine: not where pages of an earlier run, or of another's search, only have to be parsed. */
const asksEngine = async ({ user_id, id }: CrawlMessage, now: number): Promise<boolean> => {
  const row = await readRow(user_id, id, now);
  if (row?.status === 'awaiting') return (await findSnapshot(row, now)) === undefined;
  return row?.status === 'crawling';
};

/** Asks for the turns of a run. It costs one write if the engine is free. */
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

/** Tells the engine's row what the run met. */
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
