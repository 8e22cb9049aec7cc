/**
 * The circuit breaker: rests of an engine that blocks, and of a fetcher that fails. After a rest, one request
 * probes it.
 */
import { isRealEngine } from '../fetcher/choose.ts';
import { fetcherSettings } from '../fetcher/settings.ts';
import { type EngineName, engines } from '../model/engine.ts';
import { engineSetting } from '../model/settings.ts';
import { setting } from '../runtime/env.ts';
import { countWall, restLine } from '../store/pace.ts';

/**
 * Failures in a row (`walls`) before a rest: runs that an engine blocks, or pages that a fetcher does not
 * get.
 */
export const wallsBeforeRest = 20;

/** How long the probe after a rest has before another one may begin. Longer than a page usually takes. */
export const probeSeconds = 30;

/** The pause after the n-th refusal in a row: 10 s, doubled each time, at most 15 minutes. */
export const pauseSeconds = (refusals: number): number => Math.min(10 * 2 ** (refusals - 1), 900);

/**
 * Pages per second; 0 = unlimited. `chosen` is the rate in the settings of the fetchers, which goes before
 * `<ENGINE>_RATE`. The sandbox and custom origins are unlimited by default.
 */
export const rateOf = (engine: EngineName, chosen?: number): number => {
  if (chosen !== undefined) return chosen;
  const given = setting(engineSetting(engine, 'RATE'));
  if (given !== '') return Number(given);
  return isRealEngine(engine) ? engines[engine].politeRate : 0;
};

/** The present rate of an engine. */
export const presentRate = async (engine: EngineName): Promise<number> =>
  rateOf(engine, (await fetcherSettings(engine)).rate);

/**
 * Counts a failure in a row of the pace table, and rests the row after too many. `probe` is the number of
 * failures before a probe, null for any other request. Returns the failures and the seconds of the rest that
 * begins; undefined if none begins.
 */
export const recordWall = async (
  line: string,
  probe: number | null,
  now: number,
): Promise<{ walls: number; seconds: number } | undefined> => {
  const walls = probe === null ? await countWall(line, wallsBeforeRest) : probe + 1;
  if (walls === undefined || walls < wallsBeforeRest) return undefined;
  const seconds = pauseSeconds(walls - wallsBeforeRest + 1);
  await restLine(line, walls, now + seconds);
  return { walls, seconds };
};
