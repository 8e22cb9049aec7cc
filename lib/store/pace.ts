/**
 * The pace table: the rate limiter of the engines and the health of their fetchers, shared by all functions.
 * Key `line`. An engine has one line, or several at a high rate. A fetcher of an engine has a row with
 * failures and rests only (`<engine>/http`). Each line has a row of its own state, and one row for each user
 * who had to wait in it (`pace-users.ts`). Times are Unix seconds, with fractions. Most conditions compare
 * ranges, not values that were read before, so that concurrent runs do not make each other fail.
 */
import { type LinePace, readPace, writePace } from './pace-rows.ts';

/**
 * Reads the state of a line. A line without a row is free and has no walls. A read that is not consistent
 * costs half as much.
 */
export const readLine = async (line: string, isConsistent = true): Promise<LinePace> => ({
  free_at: 0,
  waiting_until: 0,
  walls: 0,
  rested_until: 0,
  ...(await readPace(line, isConsistent)),
});

/** A request for a turn of `seconds` in a line. */
export type TurnRequest = { now: number; seconds: number };

/**
 * Takes a turn at once if the line is free and its walls are below the limit. `isFirst`: no run goes before
 * this one. Otherwise the turn is taken only if no run waits.
 */
export const takeFreeTurn = async (
  line: string,
  { now, seconds }: TurnRequest,
  wallLimit: number,
  isFirst: boolean,
): Promise<boolean> =>
  (await writePace(line, {
    set: {
      free_at: ':next',
      waiting_until: 'if_not_exists(waiting_until, :zero)',
      walls: 'if_not_exists(walls, :zero)',
      rested_until: 'if_not_exists(rested_until, :zero)',
    },
    condition: `attribute_not_exists(free_at) OR (free_at <= :now AND walls < :wallLimit${isFirst ? '' : ' AND waiting_until <= :now'})`,
    values: { ':now': now, ':next': now + seconds, ':wallLimit': wallLimit, ':zero': 0 },
  })) !== undefined;

/** Keeps a line busy until `until`: no turn is taken before. */
export const holdLine = async (line: string, until: number): Promise<void> => {
  await writePace(line, {
    set: {
      free_at: ':until',
      waiting_until: 'if_not_exists(waiting_until, :zero)',
      walls: 'if_not_exists(walls, :zero)',
      rested_until: 'if_not_exists(rested_until, :zero)',
    },
    condition: 'attribute_not_exists(free_at) OR free_at < :until',
    values: { ':until': until, ':zero': 0 },
  });
};

/**
 * Takes the next turn if it comes by `latest`. Returns its time, which may be in the past, or undefined if it
 * was not taken.
 */
export const takeNextTurn = async (
  line: string,
  { now, seconds }: TurnRequest,
  wallLimit: number,
  latest: number,
): Promise<number | undefined> =>
  (
    await writePace(line, {
      set: { free_at: 'free_at + :seconds' },
      condition: 'free_at > :now AND free_at <= :latest AND walls < :wallLimit',
      values: { ':now': now, ':latest': latest, ':seconds': seconds, ':wallLimit': wallLimit },
      returnValues: 'UPDATED_OLD',
    })
  )?.free_at;

/** Records that runs wait in the line until `until` at least. */
export const markWaiting = async (line: string, until: number): Promise<void> => {
  await writePace(line, {
    set: { waiting_until: ':until' },
    condition: 'waiting_until < :until',
    values: { ':until': until },
  });
};

/**
 * Claims the probe after a rest. No other run may probe before `until`. Returns false if another run has
 * claimed it.
 */
export const claimProbe = async (line: string, seen: LinePace, until: number): Promise<boolean> =>
  (await writePace(line, {
    set: { rested_until: ':until' },
    condition: 'rested_until = :seen AND walls = :walls',
    values: { ':until': until, ':seen': seen.rested_until, ':walls': seen.walls },
  })) !== undefined;

/**
 * Counts a failure, up to `atMost`. Returns the number of failures in a row, or undefined if `atMost` was
 * reached before.
 */
export const countWall = async (line: string, atMost: number): Promise<number | undefined> =>
  (
    await writePace(line, {
      // The row of a fetcher begins with its first failure.
      set: {
        walls: 'if_not_exists(walls, :zero) + :one',
        rested_until: 'if_not_exists(rested_until, :zero)',
      },
      condition: 'attribute_not_exists(walls) OR walls < :atMost',
      values: { ':zero': 0, ':one': 1, ':atMost': atMost },
      returnValues: 'UPDATED_NEW',
    })
  )?.walls;

/** Rests the line after so many walls. */
export const restLine = async (line: string, walls: number, until: number): Promise<void> => {
  await writePace(line, {
    set: { walls: ':walls', rested_until: ':until' },
    condition: 'walls <= :walls',
    values: { ':walls': walls, ':until': until },
  });
};

/**
 * Resets the walls after a good run. Nearly always there are none, so the row is read first: a read costs a
 * tenth of a write. The read is not consistent, so it can miss a wall. The next good run resets that one.
 */
export const resetWalls = async (line: string): Promise<void> => {
  const row = await readPace(line, false);
  if (!row?.walls) return;
  await writePace(line, {
    set: { walls: ':zero', rested_until: ':zero' },
    condition: 'walls > :zero',
    values: { ':zero': 0 },
  });
};
