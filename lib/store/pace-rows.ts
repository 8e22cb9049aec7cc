/** Reads and conditional writes of rows of the pace table. Key `line`. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';

export const paceTable = resource('PACE_TABLE');

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

/** Writes if the condition holds. Returns undefined, and writes nothing, if it fails. */
export const writePace = async (
  row: string,
  { set, condition, values, returnValues }: Write,
): Promise<Partial<LinePace & UserPace> | undefined> => {
  const update = new UpdateCommand({
    TableName: paceTable,
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

export const readPace = async (
  row: string,
  isConsistent = true,
): Promise<Record<string, unknown> | undefined> => {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: paceTable, Key: { line: row }, ConsistentRead: isConsistent }),
  );
  return Item;
};
