/**
 * The rate limiter of the sources, with a circuit breaker. All functions share it: it uses the pace table, as
 * the engines' limiter does. A client waits for the answer, so a turn that is far ahead is refused, not
 * queued.
 */

import { HttpError } from '../model/http-error.ts';
import { preciseClock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { claimProbe, readLine, resetWalls, takeFreeTurn, takeNextTurn } from '../store/pace.ts';
import { callSeconds } from './call-seconds.ts';
import { probeSeconds, recordWall, wallsBeforeRest } from './rest.ts';

/** How long a request waits for its turn. */
const patienceSeconds = 5;

/**
 * A turn that starts at `at` (Unix time). If it is the probe after a rest, `probe` is the number of walls
 * before it, otherwise null.
 */
export type CallTurn = { line: string; at: number; probe: number | null; rate: number };

/** The error of a request whose turn would come too late. */
export const tooLate = (seconds: number): HttpError =>
  new HttpError(503, 'The source takes no more calls now: send the request again later', {
    'Retry-After': String(Math.max(1, Math.ceil(seconds))),
  });

/**
 * Takes turns for so many calls, one after the other at the rate. Costs one write if the line is free,
 * nothing if the rate is unlimited.
 * @throws HttpError 503 if no turn comes soon, or if the source is rested.
 */
export const takeCallTurns = async (
  line: string,
  rate: number,
  calls: number,
  now = preciseClock(),
): Promise<CallTurn> => {
  const turn = (at: number, probe: number | null = null): CallTurn => ({ line, at, probe, rate });
  if (rate === 0) return turn(now);
  const request = { now, seconds: calls * callSeconds(rate) };
  if (await takeFreeTurn(line, request, wallsBeforeRest, true)) return turn(now);
  const next = await takeNextTurn(line, request, wallsBeforeRest, now + patienceSeconds);
  if (next !== undefined) return turn(next);
  const pace = await readLine(line);
  if (pace.walls < wallsBeforeRest) throw tooLate(pace.free_at - now);
  if (pace.rested_until <= now && (await claimProbe(line, pace, now + probeSeconds)))
    return turn(now, pace.walls);
  throw tooLate(pace.rested_until > now ? pace.rested_until - now : probeSeconds);
};

/** Records whether the source took the calls of a turn, and rests it after too many refusals. */
export const recordCall = async (
  { line, probe, rate }: CallTurn,
  isRefused: boolean,
  now = preciseClock(),
): Promise<void> => {
  if (rate === 0) return;
  if (!isRefused) return resetWalls(line);
  const rest = await recordWall(line, probe, now);
  if (rest) log.warn('source rested', { source: line, ...rest });
};
