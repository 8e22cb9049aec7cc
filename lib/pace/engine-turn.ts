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
import { claimProbe, readLine, resetWalls, type TurnRequest, takeFreeTurn } from '../store/pace.ts';
import type { LinePace, UserPace } from '../store/pace-rows.ts';
import { markTurn, readUser, takeAllowance, takeShare } from '../store/pace-users.ts';
import { deadlineOf } from '../task/deadline.ts';
import { createdAt } from '../task/id.ts';
import { lineOf, takeTurnBy } from './line-turn.ts';
import { linesOf } from './lines.ts';
import { markWaitingUntil, reserveTogether } from './reservations.ts';
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

/** A line and a user in it, as they were read. */
type Seen = LinePace & UserPace;

/** Whether the line was free when it was read. `isFirst`: no run goes before this one. */
const isFree = ({ free_at, waiting_until, walls }: LinePace, now: number, isFirst: boolean): boolean =>
  free_at <= now && walls < wallsBeforeRest && (isFirst || waiting_until <= now);

/**
 * Takes a turn that starts before those that are taken already, within the user's allowance. Returns whether
 * it was taken.
 */
const takePriorityTurn = async (
  line: string,
  { user_id: userId, pages }: CrawlMessage,
  seen: Seen,
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
  seen: Seen,
  request: TurnRequest,
  latest: number,
  hasWaited: boolean,
): Promise<number | undefined> => {
  const { now, seconds } = request;
  if (seen.free_at > latest) return undefined;
  // The turn after the next takes nothing from other users, so it needs no share: the waiting runs of one
  // user come back at the pace of the engine.
  const soon = now + Math.min(seconds, shareSeconds);
  if (hasWaited && seen.free_at <= soon) {
    const turn = await takeTurnBy(line, request, soon, seen.free_at <= now);
    if (turn !== undefined) return turn;
  }
  const share = { seconds, from: Math.max(now, seen.free_at), latest: now + shareSeconds };
  const end = await takeShare(line, userId, seen, share);
  if (end === undefined) return undefined;
  const turn = await takeTurnBy(line, request, latest, seen.free_at <= now);
  // The line may have moved on since it was read.
  if (turn !== undefined && turn + seconds > end) await markTurn(line, userId, turn + seconds);
  return turn;
};

/** A turn that was taken, and the number of walls before it if it is a probe. */
type Taken = { turn: number; probe: number | null };

/** Takes a turn if one can be had now, in `patienceSeconds`, or after the run has waited. */
const seekTurn = async (line: string, message: CrawlMessage, request: TurnRequest): Promise<Taken | Seen> => {
  const { user_id, not_before: promised, turn: given } = message;
  const { now, seconds } = request;
  const hasTurn = given !== undefined && now <= given + lateSeconds;
  const hasWaited = promised !== undefined;
  // A write that fails costs as much as one that succeeds, and most runs find the line busy.
  let read = hasTurn ? undefined : await readLine(line);
  if (read && isFree(read, now, hasWaited)) {
    if (await takeFreeTurn(line, request, wallsBeforeRest, hasWaited)) return { turn: now, probe: null };
    read = undefined;
  }
  const [pace, user] = await Promise.all([read ?? readLine(line), readUser(line, user_id)]);
  const seen = { ...pace, ...user };
  if (pace.walls >= wallsBeforeRest) {
    const mayProbe = pace.rested_until <= now && (await claimProbe(line, pace, now + probeSeconds));
    return mayProbe ? { turn: now, probe: pace.walls } : seen;
  }
  if (hasTurn) return { turn: Math.max(now, given), probe: null };
  if (!hasWaited && user.line_end > now) return seen;
  const mayGoFirst = !hasWaited && pace.waiting_until > now && user.turn_end <= now;
  if (mayGoFirst && (await takePriorityTurn(line, message, seen, request))) return { turn: now, probe: null };
  // Only a run that has waited for its turn may take one that is far ahead.
  const latest = hasWaited ? deadlineOf(createdAt(message.id)) : now + patienceSeconds;
  const turn = await takeSharedTurn(line, user_id, seen, request, latest, hasWaited);
  if (turn === undefined) return seen;
  // A run that waits here for its turn counts as waiting too. A client that posts one search after another
  // makes no such run.
  if (turn > now + markedTurns * seconds) await markWaitingUntil(turn, line, pace);
  return { turn, probe: null };
};

/** The last run of this process that seeks a turn in a line. */
const lastOf = new Map<string, Promise<unknown>>();

/** Seeks after the runs that came before: those of a batch would all write, and one of them would succeed. */
const seekInOrder = (line: string, message: CrawlMessage, request: TurnRequest): Promise<Taken | Seen> => {
  const seek = () => seekTurn(line, message, request);
  const sought = (lastOf.get(line) ?? Promise.resolve()).then(seek, seek);
  lastOf.set(line, sought);
  return sought;
};

/**
 * Requests the turns of a run. `findTask` reads its task. Costs one write if the engine is free. A run that
 * waits costs one write when it gets its turn, or two, and a part of one that a whole batch makes before.
 * Call it at the time for which the run waits, not earlier: then runs of several users arrive by turns,
 * although SQS delivers those of one second together.
 */
export const requestTurn = async <Found extends { asksEngine: boolean }>(
  message: CrawlMessage,
  findTask: (message: CrawlMessage, now: number) => Promise<Found>,
  now = preciseClock(),
): Promise<TurnDecision<Found>> => {
  const { user_id, engine, pages, not_before: promised, turn: given } = message;
  if (promised !== undefined && promised > now) return { outcome: 'wait', at: promised, turn: given };
  const rate = await presentRate(engine);
  const line = lineOf(message, rate);
  const found = rate === 0 ? undefined : await findTask(message, now);
  if (!found?.asksEngine) return { outcome: 'go', at: now, probe: null, line, found };
  const request = { now, seconds: (pages * linesOf(rate)) / rate };
  const seek = promised === undefined ? seekInOrder : seekTurn;
  const sought = await seek(line, message, request);
  if ('turn' in sought) {
    const { turn, probe } = sought;
    if (turn <= now + patienceSeconds) return { outcome: 'go', at: turn, probe, line, found };
    return { outcome: 'wait', at: turn, turn };
  }

  const deadline = deadlineOf(createdAt(message.id));
  const from = Math.max(now, sought.free_at, sought.rested_until);
  const time = { seconds: request.seconds, from, latest: deadline };
  const reserved = await reserveTogether(line, user_id, sought, time, lastOf.get(line) ?? Promise.resolve());
  if (reserved === undefined) {
    // The user's later tasks have taken all times before the deadline of this one, which came back in time
    // and got no turn.
    const half = (now + deadline) / 2;
    return { outcome: 'wait', at: promised !== undefined && half > now + patienceSeconds ? half : Infinity };
  }
  return { outcome: 'wait', at: Math.max(reserved, sought.free_at) };
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
