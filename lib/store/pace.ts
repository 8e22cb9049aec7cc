/**
 * The pace table: the rate limiter of the engines and the health of their fetchers, shared by all functions.
 * Key `line`. An engine has one line, or several at a high rate. A fetcher of an engine has a row with
 * failures and rests only (`<engine>/http`). Each line has a row of its own state, and one row for each user
 * who had to wait in it. Times are Unix seconds, with fractions. Most conditions compare ranges, not values
 * that were read before, so that concurrent runs do not make each other fail.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { inBatches } from '../runtime/in-parallel.ts';
import { durablyIf } from './conditional.ts';
import { readItems } from './read-items.ts';
import { writeBatches } from './write-batches.ts';

const table = resource('PACE_TABLE');

/** The state of a line. */
export type LinePace = {
  /** The time from which the next run may start. */
  free_at: number;
  /** Until this time, at least, runs may be waiting in the line. In the past if no run waits. */
  waiting_until: number;
  /** Runs in a row that the engine has blocked, or pages in a row that the fetcher did not get. */
  walls: number;
  /** The end of the rest that these walls caused: no request may start before it. */
  rested_until: number;
};

/** The state of one user in a line. */
export type UserPace = {
  /** The end of the user's last reserved time to come back. In the past if no run of the user waits. */
  line_end: number;
  /** The end of the user's last turn that had to be waited for. */
  turn_end: number;
  /** The time from which the user's allowance of priority turns is full. */
  priority_at: number;
};

type Write = {
  set: Partial<Record<keyof LinePace | keyof UserPace, string>>;
  condition: string;
  values: Record<string, number>;
  returnValues?: 'UPDATED_OLD' | 'UPDATED_NEW';
};

/** The maximum of DynamoDB. */
const rowsRead = 100;

const userRow = (line: string, userId: number): string => `${line}#${userId}`;

/** Writes if the condition holds. Returns undefined, and writes nothing, if it fails. */
const write = async (
  row: string,
  { set, condition, values, returnValues }: Write,
): Promise<Partial<LinePace & UserPace> | undefined> => {
  const update = new UpdateCommand({
    TableName: table,
    Key: { line: row },
    UpdateExpression: `SET ${Object.entries(set)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ')}`,
    ConditionExpression: condition,
    ExpressionAttributeValues: values,
    ...(returnValues && { ReturnValues: returnValues }),
  });
  const output = await durablyIf('write-pace', () => dynamo.send(update));
  return output && (output.Attributes ?? {});
};

const read = async (row: string, isConsistent = true): Promise<Record<string, unknown> | undefined> => {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: { line: row }, ConsistentRead: isConsistent }),
  );
  return Item;
};

/**
 * Reads the state of a line. A line without a row is free and has no walls. A read that is not consistent
 * costs half as much.
 */
export const readLine = async (line: string, isConsistent = true): Promise<LinePace> => ({
  free_at: 0,
  waiting_until: 0,
  walls: 0,
  rested_until: 0,
  ...(await read(line, isConsistent)),
});

/** Reads the state of a user in a line. */
export const readUser = async (line: string, userId: number): Promise<UserPace> => ({
  line_end: 0,
  turn_end: 0,
  priority_at: 0,
  ...(await read(userRow(line, userId))),
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
  (await write(line, {
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
  await write(line, {
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
    await write(line, {
      set: { free_at: 'free_at + :seconds' },
      condition: 'free_at > :now AND free_at <= :latest AND walls < :wallLimit',
      values: { ':now': now, ':latest': latest, ':seconds': seconds, ':wallLimit': wallLimit },
      returnValues: 'UPDATED_OLD',
    })
  )?.free_at;

/**
 * Takes `seconds` from the user's allowance of priority turns. Returns false if the allowance is used up to
 * `latest`, or if a concurrent run of the user has taken from it.
 */
export const takeAllowance = async (
  line: string,
  userId: number,
  seen: UserPace,
  { now, seconds }: TurnRequest,
  latest: number,
): Promise<boolean> =>
  seen.priority_at <= latest &&
  (await write(userRow(line, userId), {
    set: { priority_at: ':next' },
    condition: 'attribute_not_exists(priority_at) OR priority_at = :seen',
    values: { ':next': Math.max(seen.priority_at, now) + seconds, ':seen': seen.priority_at },
  })) !== undefined;

/** What a user takes of a line: `seconds`, from `from` on at the earliest and before `latest`. */
export type Extension = { seconds: number; from: number; latest: number };

/**
 * Takes a share for one more turn, if the user's turns end before `latest`. `seen`: the user as it was read.
 * Returns the end of the user's turns with this one, undefined if the user has no share left.
 */
export const takeShare = async (
  line: string,
  userId: number,
  { turn_end: seen }: UserPace,
  { seconds, from, latest }: Extension,
): Promise<number | undefined> => {
  if (seen >= latest) return undefined;
  const end = Math.max(seen, from) + seconds;
  const written = await write(userRow(line, userId), {
    set: { turn_end: ':end' },
    condition: 'attribute_not_exists(turn_end) OR turn_end = :seen',
    values: { ':end': end, ':seen': seen },
  });
  if (written) return end;
  // Another run of the user has taken a share since.
  return takeShare(line, userId, await readUser(line, userId), { seconds, from, latest });
};

/** Records that the user's turns reach until `end`. */
export const markTurn = async (line: string, userId: number, end: number): Promise<void> => {
  await write(userRow(line, userId), {
    set: { turn_end: ':end' },
    condition: 'turn_end < :end',
    values: { ':end': end },
  });
};

/**
 * Reserves a time to come back after the user's last one, or `from` if the user has none after it. `seen`:
 * the user as it was read. Returns undefined, and reserves nothing, if that time is not before `latest`.
 */
export const reserveReturn = async (
  line: string,
  userId: number,
  { line_end: seen }: UserPace,
  { seconds, from, latest }: Extension,
): Promise<number | undefined> => {
  // An end never becomes earlier, and a write that fails costs as much as one that succeeds.
  if (from >= latest || seen >= latest) return undefined;
  const row = userRow(line, userId);
  const appended =
    seen > from &&
    (await write(row, {
      set: { line_end: 'line_end + :seconds' },
      condition: 'line_end > :from AND line_end < :latest',
      values: { ':from': from, ':seconds': seconds, ':latest': latest },
      returnValues: 'UPDATED_OLD',
    }));
  if (appended) return appended.line_end;
  const begun =
    seen <= from &&
    (await write(row, {
      set: { line_end: ':end' },
      condition: 'attribute_not_exists(line_end) OR line_end <= :from',
      values: { ':from': from, ':end': from + seconds },
    }));
  if (begun) return from;
  // Another run of the user has reserved a time since.
  return reserveReturn(line, userId, await readUser(line, userId), { seconds, from, latest });
};

/** Records that runs wait in the line until `until` at least. */
export const markWaiting = async (line: string, until: number): Promise<void> => {
  await write(line, {
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
  (await write(line, {
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
    await write(line, {
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
  await write(line, {
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
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { line } }));
  if (!Item?.walls) return;
  await write(line, {
    set: { walls: ':zero', rested_until: ':zero' },
    condition: 'walls > :zero',
    values: { ':zero': 0 },
  });
};

/** The lines in which a user had to wait: those of `lines` that have a row of the user. */
export const linesOfUser = async (lines: readonly string[], userId: number): Promise<string[]> => {
  const rows = new Map(lines.map((line) => [userRow(line, userId), line]));
  const found: string[] = [];
  for (const keys of inBatches([...rows.keys()], rowsRead)) {
    const items = await readItems(
      table,
      keys.map((line) => ({ line })),
    );
    found.push(...items.flatMap(({ line }) => rows.get(String(line)) ?? []));
  }
  return found;
};

/** Deletes a user's rows of lines. A repeated call changes nothing. */
export const deleteUserLines = (lines: readonly string[], userId: number): Promise<void> =>
  writeBatches(
    table,
    'erase-user',
    lines.map((line) => ({ DeleteRequest: { Key: { line: userRow(line, userId) } } })),
  );
