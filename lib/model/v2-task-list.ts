/** The list of v2 tasks, and its filters. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { defaultEngine, engineNames } from './engine.ts';
import { listQuery } from './list-query.ts';
import { Count, choice, Int } from './scalar.ts';
import { TaskStatus } from './task-status.ts';
import { V2Task } from './v2-task.ts';

export const V2TaskList = component(
  'ListGoogleSerpTask',
  'A page of the list of tasks of version 2',
  v.object({
    num_items: described(Count, 'The number of tasks in `items`', 1),
    items: described(
      v.array(V2Task),
      'The tasks, newest first. The `results` of their pages are null: `result` has them',
      [],
    ),
    cursor: described(
      v.nullable(v.string()),
      'Send it as `cursor` to get the next page; null at the end of the list',
      null,
    ),
  }),
);
export type V2TaskList = v.InferOutput<typeof V2TaskList>;

export const GoogleListQuery = v.object({
  status: described(
    v.optional(choice([...TaskStatus.options, 'all']), 'success'),
    'Only tasks in this status are listed; `all` lists the tasks in any status. `TaskStatus` explains the ' +
      'words',
    'success',
  ),
  engine: described(
    v.optional(choice(engineNames)),
    'Only tasks of this engine are listed. All tasks of v2 are of the same engine',
    defaultEngine,
  ),
  created_after: described(
    v.optional(Int),
    'Unix time: only tasks that were created later are listed',
    1795996800,
  ),
  batch: described(
    v.optional(Int),
    'Only tasks of the batch with this id are listed; an unknown batch has none',
    3767392204849151,
  ),
  ...listQuery,
});
export type GoogleListQuery = v.InferOutput<typeof GoogleListQuery>;
