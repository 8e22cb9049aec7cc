/**
 * The rate limiter of the engines, with a circuit breaker. Before a run starts, it takes a turn for each of
 * its pages. The engine's rate is the number of turns per second. Turns are shared by users, not by tasks:
 * - A user's waiting runs reserve their times to come back as if no other user were waiting. So the runs of
 *   each user come back at the pace of the engine, however many they are.
 * - A run that comes back gets the next turn that is not taken, unless the user's turns already reach more
 *   than two seconds ahead. Then it reserves again. So the turns go round among the users whose runs wait.
 * - While other runs wait, the first run of a user who has none waiting starts before its turn, if the user
 *   has not had more than a tenth of the turns so.
 * An engine that blocks too many runs in a row is rested, longer each time. After a rest, one run probes it.
 */

import type { EngineName } from '../model/engine.ts';
import type { BlockSignal, CrawlMessage } from '../model/workflow.ts';
import { preciseClock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import {
  claimProbe,
  type LinePace,
  markTurn,
  markWaiting,
  readLine,
  readUser,
  reserveReturn,
  resetWalls,
  type TurnRequest,
  takeAllowance,
  takeFreeTurn,
  takeShare,
  type UserPace,
} from '../store/pace.ts';
import { deadlineOf } from '../task/deadline.ts';
import { createdAt } from '../task/id.ts';
import { lineOf, takeTurnBy } from './line-turn.ts';
import { linesOf } from './lines.ts';
import { presentRate, probeSeconds, recordWall, wallsBeforeRest } from './rest.ts';

/** The function itself waits for a time that comes so soon, because SQS delays are whole seconds. */
export const patienceSeconds = 2;

/** A user's turns reach so far ahead at most, or to the end of one run. */
const shareSeconds = 2;

/**
 * A run that comes back later than so after its turn must take another one. Otherwise many late runs would
 * start together.
 */
const lateSeconds = 5;

/**
 * A priority turn is taken if the turns before it end so soon. It starts at once, so it can exceed the rate
 * by that much.
 */
const borrowed = { seconds: 5, pages: 10 };

/**
 * A user may take one of so many turns with priority. A user who has not done so for a while may take several
 * in a row, for so long.
 */
const allowance = { oneOf: 10, burstSeconds: 20 };

/** How far ahead the mark that runs wait is written. */
const waitingMarkSeconds = 5;

/** The mark is written for a run that waits longer than so many turns take. */
const markedTurns = 2;

/**
 * `go`: the run may start at `at`, at most `patienceSeconds` from now. If it is the probe after a rest,
 * `probe` is the number of walls before it, otherwise null. `found` is the task as it was read for the
 * decision, if it was. `wait`: request a turn again at `at`. `turn`: the run has the turn at this time.
 * `at: Infinity`: no turn is left before the task's deadline.
 */
export type TurnDecision<Found> =
  | { outcome: 'go'; at: number; probe: number | null; line: string; found: Found | undefined }
  | { outcome: 'wait'; at: number; turn?: number };

/**
 * Records that a run waits in the line until `until`, and marks some time more, so that not each run writes
 * the mark.
 */
const markWaitingUntil = async (until: number, line: string, seen: LinePace): Promise<void> => {
  if (seen.waiting_until < until) await markWaiting(line, until + waitingMarkSeconds);
};

/**
 * Takes a turn that starts before those that are taken already, within the user's allowance. Returns whether
 * it was taken.
 */
const takePriorityTurn = async (
  line: string,
  { user_id: userId, pages }: CrawlMessage,
  seen: LinePace & UserPace,
  request: TurnRequest,
): Promise<boolean> => {
  const { now, seconds } = request;
  const latest = now + borrowed.seconds + borrowed.pages * (seconds / pages);
  if (seen.free_at > latest) return false;
  const fromAllowance = { now, seconds: seconds * allowance.oneOf };
  return (
    (await takeAllowance(line, userId, seen, fromAllowance, now + allowance.burstSeconds)) &&
    (await takeTurnBy(line, request, latest, seen.free_at <= now)) !== undefined
  );
};

/**
 * Takes the next turn if it comes by `latest` and the user has a share left. Returns its time, or undefined
 * if it was not taken.
 */
const takeSharedTurn = async (
  line: string,
  userId: number,
  seen: LinePace,
  request: TurnRequest,
  latest: number,
): Promise<number | undefined> => {
  if (seen.free_at > latest) return undefined;
  if (!(await takeShare(line, userId, request, request.now + shareSeconds))) return undefined;
  const turn = await takeTurnBy(line, request, latest, seen.free_at <= request.now);
  if (turn !== undefined && turn > request.now) await markTurn(line, userId, turn + request.seconds);
  return turn;
};

/**
 * Requests the turns of a run. `findTask` reads its task. Costs one write if the engine is free. Call it at
 * the time for which the run waits, not earlier: then runs of several users arrive by turns, although SQS
 * delivers those of one second together.
 */
export const requestTurn = async <Found extends { asksEngine: boolean }>(
  message: CrawlMessage,
  findTask: (message: CrawlMessage, now: number) => Promise<Found>,
  now = preciseClock(),
): Promise<TurnDecision<Found>> => {
  const { user_id, engine, pages, not_before: promised, turn: taken } = message;
  if (promised !== undefined && promised > now) return { outcome: 'wait', at: promised, turn: taken };
  const rate = await presentRate(engine);
  const line = lineOf(message, rate);
  const found = rate === 0 ? undefined : await findTask(message, now);
  const go = (at: number, probe: number | null = null): TurnDecision<Found> => ({
    outcome: 'go',
    at,
    probe,
    line,
    found,
  });
  if (!found?.asksEngine) return go(now);
  const request = { now, seconds: (pages * linesOf(rate)) / rate };
  const hasTurn = taken !== undefined && now <= taken + lateSeconds;
  const hasWaited = promised !== undefined;

  if (!hasTurn && (await takeFreeTurn(line, request, wallsBeforeRest, hasWaited))) return go(now);
  const [pace, user] = await Promise.all([readLine(line), readUser(line, user_id)]);
  const deadline = deadlineOf(createdAt(message.id));
  if (pace.walls >= wallsBeforeRest) {
    if (pace.rested_until <= now && (await claimProbe(line, pace, now + probeSeconds)))
      return go(now, pace.walls);
  } else if (hasTurn) {
    return go(Math.max(now, taken));
  } else if (hasWaited || user.line_end <= now) {
    const mayGoFirst = !hasWaited && pace.waiting_until > now && user.turn_end <= now;
    if (mayGoFirst && (await takePriorityTurn(line, message, { ...pace, ...user }, request))) return go(now);
    // Only a run that has waited for its turn may take one that is far ahead.
    const latest = hasWaited ? deadline : now + patienceSeconds;
    const turn = await takeSharedTurn(line, user_id, pace, request, latest);
    if (turn !== undefined) {
      // A run that waits here for its turn counts as waiting too. A client that posts one search after
      // another makes no such run.
      if (turn > now + markedTurns * request.seconds) await markWaitingUntil(turn, line, pace);
      if (turn <= now + patienceSeconds) return go(turn);
      return { outcome: 'wait', at: turn, turn };
    }
  }

  const from = Math.max(now, pace.free_at, pace.rested_until);
  const reserved = await reserveReturn(line, user_id, request.seconds, from, deadline);
  if (reserved === undefined) {
    // The user's later tasks have taken all times before the deadline of this one, which came back in time
    // and got no turn.
    const half = (now + deadline) / 2;
    return { outcome: 'wait', at: hasWaited && half > now + patienceSeconds ? half : Infinity };
  }
  await markWaitingUntil(reserved, line, pace);
  return { outcome: 'wait', at: Math.max(reserved, pace.free_at) };
};

/** Records in the line's row what the run says about the engine, and rests the line after too many walls. */
export const recordSignal = async (
  engine: EngineName,
  { line, probe }: { line: string; probe: number | null },
  signal: BlockSignal,
  now = preciseClock(),
): Promise<void> => {
  if (signal === null || (await presentRate(engine)) === 0) return;
  if (signal === 'open') return resetWalls(line);
  const rest = await recordWall(line, probe, now);
  if (rest) log.warn('engine rested', { engine, ...rest }, { EngineRests: 1 });
};
