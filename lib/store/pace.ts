/**
 * The engines table: the state of each engine's rate limiter, shared by all functions. Key `engine`. Times are Unix seconds, with
 * fractions. The conditions of turns compare ranges, not values that were read before, so that concurrent runs do not make each other fail.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';

const table = resource('ENGINES_TABLE');

export type EnginePace = {
  /** The time from which the next run may start. */
  free_at: number;
  /** The end of the last reserved turn: reserved turns form a queue. In the past if the queue is empty. */
  line_end: number;
  /** Runs in a row that the engine has blocked. */
  walls: number;
  /** The end of the rest that these walls caused: no run may start before it. */
  rested_until: number;
};

type Write = {
  set: Partial<Record<keyof EnginePace, string>>;
  condition: string;
  values: Record<string, number>;
  returnValues?: 'UPDATED_OLD' | 'UPDATED_NEW';
};

/** Writes if the condition holds. Returns undefined, and writes nothing, if it fails. */
const write = async (
  engine: string,
  { set, condition, values, returnValues }: Write,
): Promise<Partial<EnginePace> | undefined> => {
  const update = new UpdateCommand({
    TableName: table,
    Key: { engine },
    UpdateExpression: `SET ${Object.entries(set)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ')}`,
    ConditionExpression: condition,
    ExpressionAttributeValues: values,
    ...(returnValues && { ReturnValues: returnValues }),
  });
  const output = await durablyIf('write-engine', () => dynamo.send(update));
  return output && (output.Attributes ?? {});
};

/** Reads the state of an engine. An engine without a row is free and has no walls. */
export const readPace = async (engine: string): Promise<EnginePace> => {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: { engine }, ConsistentRead: true }),
  );
  return { free_at: 0, line_end: 0, walls: 0, rested_until: 0, ...Item };
};

/** A request for a turn of `seconds` at the engine. `hasWaited`: the run was told to wait before. */
export type TurnRequest = { now: number; seconds: number; hasWaited: boolean };

/** The condition of a turn. Runs that have waited go before those that have not. */
const turnCondition = ({ hasWaited }: TurnRequest): string =>
  `walls < :wallLimit${hasWaited ? '' : ' AND line_end <= :now'}`;

/** Takes a turn at once if the engine is free, its walls are below the limit, and no other run goes first. */
export const takeFreeTurn = async (
  engine: string,
  request: TurnRequest,
  wallLimit: number,
): Promise<boolean> =>
  (await write(engine, {
    set: {
      free_at: ':next',
      line_end: 'if_not_exists(line_end, :zero)',
      walls: 'if_not_exists(walls, :zero)',
      rested_until: 'if_not_exists(rested_until, :zero)',
    },
    condition: `attribute_not_exists(free_at) OR (free_at <= :now AND ${turnCondition(request)})`,
    values: {
      ':now': request.now,
      ':next': request.now + request.seconds,
      ':wallLimit': wallLimit,
      ':zero': 0,
    },
  })) !== undefined;

/** Takes the next turn if it comes by `soon`, under the same conditions. Returns its time, or undefined if it was not taken. */
export const takeNextTurn = async (
  engine: string,
  request: TurnRequest,
  wallLimit: number,
  soon: number,
): Promise<number | undefined> =>
  (
    await write(engine, {
      set: { free_at: 'free_at + :seconds' },
      condition: `free_at > :now AND free_at <= :soon AND ${turnCondition(request)}`,
      values: {
        ':now': request.now,
        ':soon': soon,
        ':seconds': request.seconds,
        ':wallLimit': wallLimit,
      },
      returnValues: 'UPDATED_OLD',
    })
  )?.free_at;

/**
 * Reserves a turn at the end of the queue, or at `from` if the queue is empty. Returns the time of the turn. Returns undefined, and
 * reserves nothing, if that time is not before `deadline`: other runs may use the turn.
 */
export const reserveTurn = async (
  engine: string,
  { now, seconds }: TurnRequest,
  from: number,
  deadline: number,
): Promise<number | undefined> => {
  for (;;) {
    const appended = await write(engine, {
      set: { line_end: 'line_end + :seconds' },
      condition: 'line_end > :now AND line_end < :deadline',
      values: { ':now': now, ':seconds': seconds, ':deadline': deadline },
      returnValues: 'UPDATED_OLD',
    });
    if (appended) return appended.line_end;
    if (from >= deadline) return undefined;
    const started = await write(engine, {
      set: { line_end: ':end' },
      condition: 'line_end <= :now',
      values: { ':now': now, ':end': from + seconds },
    });
    if (started) return from;
    if ((await readPace(engine)).line_end >= deadline) return undefined;
  }
};

/** Claims the probe after a rest. No other run may probe before `until`. Returns false if another run has claimed it. */
export const claimProbe = async (engine: string, seen: EnginePace, until: number): Promise<boolean> =>
  (await write(engine, {
    set: { rested_until: ':until' },
    condition: 'rested_until = :seen AND walls = :walls',
    values: { ':until': until, ':seen': seen.rested_until, ':walls': seen.walls },
  })) !== undefined;

/** Counts a blocked run, up to `atMost`. Returns the number of blocked runs in a row, or undefined if `atMost` was reached before. */
export const countWall = async (engine: string, atMost: number): Promise<number | undefined> =>
  (
    await write(engine, {
      set: { walls: 'walls + :one' },
      condition: 'walls < :atMost',
      values: { ':one': 1, ':atMost': atMost },
      returnValues: 'UPDATED_NEW',
    })
  )?.walls;

/** Rests the engine after so many walls. New reservations begin after the rest. */
export const restEngine = async (engine: string, walls: number, until: number): Promise<void> => {
  await write(engine, {
    set: { walls: ':walls', rested_until: ':until' },
    condition: 'walls <= :walls',
    values: { ':walls': walls, ':until': until },
  });
  await write(engine, {
    set: { line_end: ':until' },
    condition: 'line_end < :until',
    values: { ':until': until },
  });
};

/**
 * Resets the walls after a good run. Nearly always there are none, so the row is read first: a read costs a tenth of a write. The read is
 * not consistent, so it can miss a wall. The next good run resets that one.
 */
export const resetWalls = async (engine: string): Promise<void> => {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { engine } }));
  if (!Item?.walls) return;
  await write(engine, {
    set: { walls: ':zero', rested_until: ':zero' },
    condition: 'walls > :zero',
    values: { ':zero': 0 },
  });
};
