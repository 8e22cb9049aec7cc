/**
 * The rows of users in the lines of the pace table: one row for each user who had to wait in a line. Times
 * are Unix seconds, with fractions.
 */
import { inBatches } from '../runtime/in-parallel.ts';
import type { TurnRequest } from './pace.ts';
import { paceTable, readPace, type UserPace, writePace } from './pace-rows.ts';
import { readItems } from './read-items.ts';
import { writeBatches } from './write-batches.ts';

/** The maximum of DynamoDB. */
const rowsRead = 100;

const userRow = (line: string, userId: number): string => `${line}#${userId}`;

/** Reads the state of a user in a line. */
export const readUser = async (line: string, userId: number): Promise<UserPace> => ({
  line_end: 0,
  turn_end: 0,
  priority_at: 0,
  ...(await readPace(userRow(line, userId))),
});

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
  (await writePace(userRow(line, userId), {
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
  const written = await writePace(userRow(line, userId), {
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
  await writePace(userRow(line, userId), {
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
    (await writePace(row, {
      set: { line_end: 'line_end + :seconds' },
      condition: 'line_end > :from AND line_end < :latest',
      values: { ':from': from, ':seconds': seconds, ':latest': latest },
      returnValues: 'UPDATED_OLD',
    }));
  if (appended) return appended.line_end;
  const begun =
    seen <= from &&
    (await writePace(row, {
      set: { line_end: ':end' },
      condition: 'attribute_not_exists(line_end) OR line_end <= :from',
      values: { ':from': from, ':end': from + seconds },
    }));
  if (begun) return from;
  // Another run of the user has reserved a time since.
  return reserveReturn(line, userId, await readUser(line, userId), { seconds, from, latest });
};

/** The lines in which a user had to wait: those of `lines` that have a row of the user. */
export const linesOfUser = async (lines: readonly string[], userId: number): Promise<string[]> => {
  const rows = new Map(lines.map((line) => [userRow(line, userId), line]));
  const found: string[] = [];
  for (const keys of inBatches([...rows.keys()], rowsRead)) {
    const items = await readItems(
      paceTable,
      keys.map((line) => ({ line })),
    );
    found.push(...items.flatMap(({ line }) => rows.get(String(line)) ?? []));
  }
  return found;
};

/** Deletes a user's rows of lines. A repeated call changes nothing. */
export const deleteUserLines = (lines: readonly string[], userId: number): Promise<void> =>
  writeBatches(
    paceTable,
    'erase-user',
    lines.map((line) => ({ DeleteRequest: { Key: { line: userRow(line, userId) } } })),
  );
