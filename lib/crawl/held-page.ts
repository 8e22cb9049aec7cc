/** The check that every step on pages of a run makes first: whether the run still holds the task. */
import type { PageKey } from '../model/workflow.ts';
import type { SerpRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';

/** The reason in the outcome of a page whose task another run has claimed. */
export const heldElsewhere = 'machinery: another run holds the task';

/** A page of a task that the run holds, and its URL. */
export type HeldPage = { row: SerpRow; url: string };

/** A page of the run `attempt`; undefined if another run holds the task, or if the page is not planned. */
export const heldPageOf = (
  row: SerpRow | undefined,
  { attempt, page }: Pick<PageKey, 'attempt' | 'page'>,
): HeldPage | undefined => {
  const planned = row?.pages.find((each) => each.page === page);
  return row && planned && row.attempt === attempt ? { row, url: planned.url } : undefined;
};

/** The task and the URL of a page; undefined if the task is gone, or if another run holds it. */
export const readHeldPage = async (key: PageKey): Promise<HeldPage | undefined> =>
  heldPageOf(await readRow(key.user_id, key.id), key);
