/** The list of a user's tasks of v2, page by page (Reading 31). */
import { readCursor } from '../access/cursor.ts';
import { pageLink } from '../access/page-link.ts';
import { defaultEngine } from '../model/engine.ts';
import type { Account } from '../model/user.ts';
import type { V2Task } from '../model/v2-task.ts';
import type { GoogleListQuery, V2TaskList } from '../model/v2-task-list.ts';
import { clock } from '../runtime/clock.ts';
import { readBatch } from '../store/batches.ts';
import { listRows } from '../store/lists.ts';
import type { StoredResult } from '../store/results.ts';
import type { SerpRow } from '../store/task-row.ts';
import { batchTaskIds, taskId } from '../task/id.ts';
import { lifetimeSeconds } from '../task/timing.ts';
import { fitting, fittingPage } from './list-page.ts';
import { v2TaskOf } from './view.ts';

/** The ids of the tasks of a batch; none if the user has no such batch. */
const idsOf = async (user: Account, id: number, now: number): Promise<number[]> => {
  const batch = await readBatch({ user_id: user.id, id }, now);
  return batch ? batchTaskIds(id, batch.tasks) : [];
};

/** A task without the results of its pages, which would repeat `result`. */
const shown = (user: Account, row: SerpRow, stored: StoredResult | null, now: number): V2Task => {
  const linkTo = (html: string) => pageLink(row.base_url, html, user, now);
  const task = v2TaskOf(row, stored, now, linkTo);
  const pages = task.pages.map((page) => ({ ...page, results: null }));
  return fitting({ ...task, pages }, { result: null });
};

/**
 * Returns a page of the user's tasks of v2, newest first. A page has at most `limit` tasks, and fewer if
 * their results are large or if most of the user's tasks do not pass the filter. The list ends where `cursor`
 * is null.
 * @throws HttpError 422 if the cursor is forged, of another user, or of a list with another filter.
 */
export const listV2Tasks = async (
  user: Account,
  { status, engine, created_after, batch, limit, fields, cursor }: GoogleListQuery,
  now = clock(),
): Promise<V2TaskList> => {
  const list = `v2/${JSON.stringify([status, engine, created_after, batch])}`;
  const before = readCursor(user, list, cursor);
  // All tasks of v2 are of one engine.
  if (engine !== undefined && engine !== defaultEngine) return { num_items: 0, items: [], cursor: null };
  // The ids of all tasks that have not expired are larger.
  const oldest = now - lifetimeSeconds;
  const createdFrom =
    created_after === undefined ? oldest : Math.max(oldest, Math.min(created_after, now) + 1);
  const found = await listRows(
    user.id,
    {
      api: 'v2',
      status: status === 'all' ? undefined : status,
      ids: batch === undefined ? undefined : await idsOf(user, batch, now),
      before,
      after: taskId(createdFrom, 0) - 1,
      limit,
    },
    now,
  );
  return fittingPage(user, found, { list, fields, show: (row, stored) => shown(user, row, stored, now) });
};
