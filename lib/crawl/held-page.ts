/** The check that every step on a page of a run makes first: whether the run still holds the task. */
import type { PageKey } from '../model/workflow.ts';
import type { SerpRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';

/** The reason in the outcome of a page whose task another run has claimed. */
export const heldElsewhere = 'machinery: another run holds the task';

/** The task and the URL of a page; undefined if the task is gone, or if another run holds it. */
export const readHeldPage = async ({
  user_id,
  id,
  attempt,
  page,
}: PageKey): Promise<{ row: SerpRow; url: string } | undefined> => {
  const row = await readRow(user_id, id);
  const planned = row?.pages.find((each) => each.page === page);
  return row && planned && row.attempt === attempt ? { row, url: planned.url } : undefined;
};
