/** The list of a user's tasks of v1, page by page (Reading 31). */
import { readCursor } from '../access/cursor.ts';
import type { Account } from '../model/user.ts';
import type { ListQuery, V1TaskList } from '../model/v1-task.ts';
import { clock } from '../runtime/clock.ts';
import { listRows } from '../store/lists.ts';
import { taskId } from '../task/id.ts';
import { lifetimeSeconds } from '../task/timing.ts';
import { fitting, fittingPage } from './list-page.ts';
import { v1TaskOf } from './view.ts';

/**
 * Returns a page of the user's tasks of v1 in one status, newest first. A page has at most `limit`
 * tasks, and fewer if their results are large or if most of the user's tasks do not pass the filter. The list
 * ends where `cursor` is null.
 * @throws HttpError 422 if the cursor is forged, of another user, or of a list with another status.
 */
export const listV1Tasks = async (
  user: Account,
  { status, limit, fields, cursor }: ListQuery,
  now = clock(),
): Promise<V1TaskList> => {
  const list = `v1/${status}`;
  const before = readCursor(user, list, cursor);
  const found = await listRows(
    user.id,
    // The ids of all tasks that have not expired are larger.
    { api: 'v1', status, before, after: taskId(now - lifetimeSeconds, 0) - 1, limit },
    now,
  );
  return fittingPage(user, found, {
    list,
    fields,
    show: (row, stored) => fitting(v1TaskOf(row, stored, now), { result: {} }),
  });
};
