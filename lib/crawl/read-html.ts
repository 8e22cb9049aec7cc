/** The stored HTML of a task's page, as its owner reads it. */
import { HttpError } from '../model/http-error.ts';
import { maxTaskBytes, payloadBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import type { CrawlHTML } from '../model/v1-task.ts';
import type { SerpRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';

/**
 * Returns the HTML of a page of the user's task, of either version of the API, and the row of the task.
 * @throws HttpError 404 if the id is unknown, expired or another user's, or if the task has no such page, or
 * it is not stored (Reading 13); 413 if the page does not fit in a response of Lambda.
 */
export const readStoredPage = async (
  user: Account,
  id: number,
  number: number,
): Promise<{ html: string; row: SerpRow }> => {
  const row = await readRow(user.id, id);
  if (!row) throw new HttpError(404, 'Task not found');
  const key = row.pages.find(({ page }) => page === number)?.html;
  if (!key) throw new HttpError(404, 'The task has no stored page with this number');
  // Imported on demand: few requests of the area need S3, but its client would slow down the cold start of
  // all of them.
  const { findHtml } = await import('../store/read-html.ts');
  const html = await findHtml(key);
  // The page of a snapshot may expire before the task does.
  if (html === undefined) throw new HttpError(404, 'The stored page has expired');
  if (payloadBytes({ html }) > maxTaskBytes) {
    throw new HttpError(413, 'The stored page is larger than 6 MB');
  }
  return { html, row };
};

/** As `readStoredPage`, the HTML alone. */
export const readTaskHtml = async (user: Account, id: number, number: number): Promise<CrawlHTML> => ({
  html: (await readStoredPage(user, id, number)).html,
});
