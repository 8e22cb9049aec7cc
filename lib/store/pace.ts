/**
 * The engines table: how often each search engine may be asked, shared by all functions. Key `engine`. Times are Unix seconds, with
 * fractions. Conditions are on ranges, not on what was read before: many takers at once do not push each other back.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';

const table = resource('ENGINES_TABLE');

export type EnginePace = {
  /** From when on the next run may start. */
  free_at: number;
  /** Until when turns are promised to those who stand in line; past where nobody does. */
  line_end: number;
  /** Runs in a row that the engine has walled off. */
  walls: number;
  /** Until when nobody asks it because of them. */
  rested_until: number;
};

type Write = {
  set: Partial<Record<keyof EnginePace, string>>;
  where: string;
  values: Record<string, number>;
  answer?: 'UPDATED_OLD' | 'UPDATED_NEW';
};

/** Writes on a condition; undefined, and nothing is written, if it fails. */
const write = async (
  engine: string,
  { set, where, values, answer }: Write,
): Promise<Partial<EnginePace> | undefined> => {
  const update = new UpdateCommand({
    TableName: table,
    Key: { engine },
    UpdateExpression: `SET ${Object.entries(set)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ')}`,
    ConditionExpression: where,
    ExpressionAttributeValues: values,
    ...(answer && { ReturnValues: answer }),
  });
  const output = await durablyIf('write-engine', () => dynamo.send(update));
  return output && (output.Attributes ?? {});
};

/** The engine as it stands: open, and free, if nobody has asked it yet. */
export const readPace = async (engine: string): Promise<EnginePace> => {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: { engine }, ConsistentRead: true }),
  );
  return { free_at: 0, line_end: 0, walls: 0, rested_until: 0, ...Item };
};

/** Who asks for a turn: when, for how many seconds of the engine's time, and whether it has stood in line for it. */
export type TurnRequest = { now: number; seconds: number; hasWaited: boolean };

/** Those who stand in line go first. */
const mayPass = ({ hasWaited }: TurnRequest): string =>
  `walls < :wallLimit${hasWaited ? '' : ' AND line_end <= :now'}`;

/** Takes a turn at once if the engine is free, open, and nobody stands in line before the asker. */
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
    where: `attribute_not_exists(free_at) OR (free_at <= :now AND ${mayPass(request)})`,
    values: {
      ':now': request.now,
      ':next': request.now + request.seconds,
      ':wallLimit': wallLimit,
      ':zero': 0,
    },
  })) !== undefined;

/** Takes the next turn if it comes by `soon`, under the conditions of a free one; answers when it is. */
export const takeNextTurn = async (
  engine: string,
  request: TurnRequest,
  wallLimit: number,
  soon: number,
): Promise<number | undefined> =>
  (
    await write(engine, {
      set: { free_at: 'free_at + :seconds' },
      where: `free_at > :now AND free_at <= :soon AND ${mayPass(request)}`,
      values: {
        ':now': request.now,
        ':soon': soon,
        ':seconds': request.seconds,
        ':wallLimit': wallLimit,
      },
      answer: 'UPDATED_OLD',
    })
  )?.free_at;

/**
 * Stands in line, which begins at `from` if nobody does; answers when the asker's turn is promised. Undefined if that is not
 * before `deadline`: whose turn would come too late lets others have it.
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
      where: 'line_end > :now AND line_end < :deadline',
      values: { ':now': now, ':seconds': seconds, ':deadline': deadline },
      answer: 'UPDATED_OLD',
    });
    if (appended) return appended.line_end;
    if (from >= deadline) return undefined;
    const started = await write(engine, {
      set: { line_end: ':end' },
      where: 'line_end <= :now',
      values: { ':now': now, ':end': from + seconds },
    });
    if (started) return from;
    if ((await readPace(engine)).line_end >= deadline) return undefined;
  }
};

/** Takes the one turn after a rest, and lets nobody else by until `until`; false if another has it. */
export const claimProbe = async (engine: string, seen: EnginePace, until: number): Promise<boolean> =>
  (await write(engine, {
    set: { rested_until: ':until' },
    where: 'rested_until = :seen AND walls = :walls',
    values: { ':until': until, ':seen': seen.rested_until, ':walls': seen.walls },
  })) !== undefined;

/** Counts a run that was walled off, up to `atMost`; answers how many there are in a row, undefined where it counts no more. */
export const countWall = async (engine: string, atMost: number): Promise<number | undefined> =>
  (
    await write(engine, {
      set: { walls: 'walls + :one' },
      where: 'walls < :atMost',
      values: { ':one': 1, ':atMost': atMost },
      answer: 'UPDATED_NEW',
    })
  )?.walls;

/** Rests the engine after so many walls; the line goes on when it wakes. */
export const restEngine = async (engine: string, walls: number, until: number): Promise<void> => {
  await write(engine, {
    set: { walls: ':walls', rested_until: ':until' },
    where: 'walls <= :walls',
    values: { ':walls': walls, ':until': until },
  });
  await write(engine, {
    set: { line_end: ':until' },
    where: 'line_end < :until',
    values: { ':until': until },
  });
};

/**
 * A good run: nothing stands between the engine and us. Nearly always nothing did before either, which a look tells for a tenth of what a
 * write costs; a wall that it misses, because it is not read consistently, is forgotten after the next good run.
 */
export const resetWalls = async (engine: string): Promise<void> => {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { engine } }));
  if (!Item?.walls) return;
  await write(engine, {
    set: { walls: ':zero', rested_until: ':zero' },
    where: 'walls > :zero',
    values: { ':zero': 0 },
  });
};
