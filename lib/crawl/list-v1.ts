/** Lists of a user's tasks, page by page (Reading 31). */
import { makeCursor, readCursor } from '../access/cursor.ts';
import { listPageSize, maxTaskBytes, payloadBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import type { ListQuery, V1Task, V1TaskList } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { clock } from '../runtime/clock.ts';
import { listRows } from '../store/lists.ts';
import { readResult } from '../store/results.ts';
import { taskId } from '../task/id.ts';
import { lifetimeSeconds } from '../task/timing.ts';
import { v1TaskOf } from './view.ts';

/** The rest of a response, and the commas between the tasks. */
const envelopeBytes = 1000;

/** A task without its result, if it would not fit into any page with it. `without`: the task's fields without a result. */
export const fitting = <Task extends V1Task | V2Task>(task: Task, without: Partial<Task>): Task =>
  payloadBytes(task) + envelopeBytes <= maxTaskBytes
    ? task
    : {
        ...task,
        ...without,
        warnings: [
          ...task.warnings,
          'The result of this task is larger than 6 MB and is not shown here: receive it by webhook.',
        ],
      };

/** The first tasks of a page, as many as fit into a response of Lambda, at least one. */
export const withinResponse = <Task>(tasks: readonly Task[]): Task[] => {
  let bytes = envelopeBytes;
  const firstTooMany = tasks.findIndex((task) => {
    bytes += payloadBytes(task);
    return bytes > maxTaskBytes;
  });
  return firstTooMany === -1 ? [...tasks] : tasks.slice(0, firstTooMany);
};

/**
 * Returns a page of the user's tasks of v1 in one status, newest first. A page has at most 25 tasks, and fewer if their results are
 * large or if most of the user's tasks do not pass the filter. The list ends where `cursor` is null.
 * @throws HttpError 422 if the cursor is forged, of another user, or of a list with another status.
 */
export const listV1Tasks = async (
  user: Account,
  { status, cursor }: ListQuery,
  now = clock(),
): Promise<V1TaskList> => {
  const list = `v1/${status}`;
  const before = readCursor(user, list, cursor);
  const { rows, next } = await listRows(
    user.id,
    // The ids of all tasks that have not expired are larger.
    { api: 'v1', status, before, after: taskId(now - lifetimeSeconds, 0) - 1, limit: listPageSize },
    now,
  );
  const tasks = await Promise.all(
    rows.map(async (row) => fitting(v1TaskOf(row, await readResult(row), now), { result: {} })),
  );
  const items = withinResponse(tasks);
  const continued = items.length < tasks.length ? (items.at(-1)?.id ?? null) : next;
  return {
    num_items: items.length,
    items,
    cursor: continued === null ? null : makeCursor(user, list, continued),
  };
};
