/** Reads the body of a message, or says that a later release has sent it. */
import * as v from 'valibot';
import { TaskKey } from '../model/workflow.ts';

/** A message of a later release, with all of its fields. */
export type LaterMessage = TaskKey & Record<string, unknown>;

const Later = v.looseObject(TaskKey.entries);

/** Whether a word is all that is not known: messages have no version, and a new kind or engine is a word. */
const isNewWord = ({ type, input }: v.BaseIssue<unknown>): boolean =>
  type === 'picklist' && typeof input === 'string';

/**
 * The message in a body. `later` instead: it is about a task, and has a word that no list of this release
 * has.
 * @throws for any other body that is not a `Message`.
 */
export const readMessage = <const Schema extends v.GenericSchema<unknown, TaskKey>>(
  Message: Schema,
  body: string,
): { message: v.InferOutput<Schema> } | { later: LaterMessage } => {
  const value: unknown = JSON.parse(body);
  const { success, output, issues } = v.safeParse(Message, value);
  if (success) return { message: output };
  if (issues.every(isNewWord) && v.is(Later, value)) return { later: value };
  throw new v.ValiError(issues);
};
