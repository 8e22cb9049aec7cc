/**
 * The rate limiter of the source of volumes, across all functions: one line of the pace table, named after
 * the source, with a turn for each call. A user's waiting calls reserve their times to come back as if no
 * other user were waiting, and a user's turns reach two calls ahead at most. So a call of another user waits
 * for two calls, however many the first user has.
 */
import { preciseClock, sleepUntil } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { holdLine, readLine, type TurnRequest, takeFreeTurn, takeNextTurn } from '../store/pace.ts';
import { markTurn, readUser, reserveReturn, takeShare } from '../store/pace-users.ts';
import { callSeconds } from './call-seconds.ts';

const line = (): string => setting('VOLUMES_SOURCE');

/** The line has no circuit breaker: after a refusal, it is held for the time that the source names. */
const wallLimit = 1;

/**
 * A user's turns reach to the end of the second call from now, and a turn is taken only if it comes within
 * four calls. The halves keep the bounds away from the ends of calls, because sums of fractions are not
 * exact.
 */
const callsAhead = { ofUser: 1.5, ofAll: 4.5 };

/** No call waits longer than this in the line: its message comes back and asks again. */
const longestWaitSeconds = 3600;

/** The line is held no longer than this: then one call tries again. */
const longestHoldSeconds = 900;

/** `go`: the call may start at `at`. `wait`: ask for a turn again at `at`. Unix seconds, with fractions. */
type Turn = { outcome: 'go' | 'wait'; at: number };

/** Requests the turn of one call of a user. */
export const requestTurn = async (userId: number, now = preciseClock()): Promise<Turn> => {
  const rate = Number(setting('ADS_RATE'));
  if (rate === 0) {
    const { free_at } = await readLine(line());
    return free_at > now ? { outcome: 'wait', at: free_at } : { outcome: 'go', at: now };
  }
  const request: TurnRequest = { now, seconds: callSeconds(rate) };
  if (await takeFreeTurn(line(), request, wallLimit, true)) return { outcome: 'go', at: now };
  const user = await readUser(line(), userId);
  const share = { seconds: request.seconds, from: now, latest: now + callsAhead.ofUser * request.seconds };
  if ((await takeShare(line(), userId, user, share)) !== undefined) {
    const turn = await takeNextTurn(line(), request, wallLimit, now + callsAhead.ofAll * request.seconds);
    if (turn !== undefined) {
      await markTurn(line(), userId, turn + request.seconds);
      return { outcome: 'go', at: Math.max(now, turn) };
    }
  }
  const { free_at } = await readLine(line());
  const latest = now + longestWaitSeconds;
  const from = Math.min(Math.max(now + request.seconds, free_at), latest);
  const reserved = await reserveReturn(line(), userId, user, { seconds: request.seconds, from, latest });
  return { outcome: 'wait', at: reserved ?? latest };
};

/**
 * Waits for a turn until `latest` (Unix seconds). Returns the time from which a turn may be had if it does
 * not come by then.
 */
export const waitForTurn = async (userId: number, latest: number): Promise<Turn> => {
  for (;;) {
    const turn = await requestTurn(userId);
    if (turn.at > latest) return { outcome: 'wait', at: turn.at };
    await sleepUntil(turn.at);
    if (turn.outcome === 'go') return turn;
  }
};

/** The pause after the n-th refusal in a row: 5 s, doubled each time, at most 15 minutes. */
export const pauseSeconds = (refusals: number): number => Math.min(5 * 2 ** (refusals - 1), 900);

/** Stops all calls to the source for `seconds`, at most for a quarter of an hour. */
export const holdCalls = (seconds: number, now = preciseClock()): Promise<void> =>
  holdLine(line(), now + Math.min(seconds, longestHoldSeconds));
