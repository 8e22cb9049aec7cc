/** The list of v2 tasks, and its filters. */
import * as v from 'valibot';
import { engineNames } from './engine.ts';
import { Count, choice, Int, Text } from './scalar.ts';
import { TaskStatus } from './task-status.ts';
import { V2Task } from './v2-task.ts';

export const V2TaskList = v.object({
  num_items: v.pipe(Count, v.description('The number of tasks in `items`')),
  items: v.pipe(
    v.array(V2Task),
    v.description('The tasks, newest first. The `results` of their pages are null: `result` has them'),
  ),
  cursor: v.pipe(
    v.nullable(v.string()),
    v.description('Send it as `cursor` to get the next page; null at the end of the list'),
  ),
});
export type V2TaskList = v.InferOutput<typeof V2TaskList>;

export const GoogleListQuery = v.object({
  status: v.pipe(
    v.optional(choice([...TaskStatus.options, 'all']), 'success'),
    v.description(
      'Only tasks in this status are listed; `all` lists the tasks in any status. `TaskStatus` explains the words',
    ),
  ),
  engine: v.pipe(
    v.optional(choice(engineNames)),
    v.description('Only tasks of this engine are listed. All tasks of v2 are of the same engine'),
  ),
  created_after: v.pipe(
    v.optional(Int),
    v.description('Unix time: only tasks that were created later are listed'),
  ),
  batch: v.pipe(
    v.optional(Int),
    v.description('Only tasks of the batch with this id are listed; an unknown batch has none'),
  ),
  cursor: v.pipe(
    v.optional(Text, ''),
    v.description('The `cursor` of the previous page; empty for the first page'),
  ),
});
export type GoogleListQuery = v.InferOutput<typeof GoogleListQuery>;
