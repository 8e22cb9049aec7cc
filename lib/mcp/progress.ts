/** Tasks that are not finished, or that ended without a result. */
import type { IdeasTask } from '../model/keyword-task.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import type { Answer } from './answer.ts';
import { type Origin, originFacts, originFields } from './origin.ts';

/** A search of either version. */
export type SearchTask = V2Task | V1Task;

/** The error of a task that ended without a result. Its message is the sentence of the task. */
export class TaskFailed extends Error {}

/** Characters of a title or a keyword in an answer. */
export const titleLength = 200;

type Progress = Pick<SearchTask | IdeasTask, 'id' | 'status' | 'error_message'>;

export const failureOf = ({ id, status, error_message }: Progress): TaskFailed | undefined =>
  status === 'error' || status === 'dead_letter'
    ? new TaskFailed(`Task ${id} ended without a result. ${error_message ?? 'The service failed.'}`)
    : undefined;

export const unfinished = ({ id, status, error_message }: Progress, origin: Origin): Answer => ({
  facts: [
    `Task ${id} is not finished: its status is ${status}.`,
    ...(error_message ? [error_message] : []),
    `Call read_task with task_id ${id} to wait for its result. Another call of the same tool would start a second task.`,
    ...originFacts(origin),
  ],
  fields: { task_id: id, status, ...originFields(origin), ...(error_message && { error_message }) },
});
