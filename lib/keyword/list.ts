/** Lists of a user's keyword tasks, page by page (Reading 31). */
import { listPage, readCursor } from '../access/cursor.ts';
import type { KeywordListQuery } from '../model/keyword-request.ts';
import type { ListKeywordDataTask } from '../model/keyword-task.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { listRows } from '../store/lists.ts';
import { keywordTaskOf } from './view.ts';

/**
 * Returns a page of the user's keyword tasks in one status, newest first. The list ends where `cursor` is
 * null.
 * @throws HttpError 422 if the cursor is forged, of another user, or of a list with another status.
 */
export const listKeywordTasks = async (
  user: Account,
  { status, limit, cursor }: Pick<KeywordListQuery, 'status' | 'limit' | 'cursor'>,
  now = clock(),
): Promise<ListKeywordDataTask> => {
  const list = `keyword/${status}`;
  const before = readCursor(user, list, cursor);
  const { rows, next } = await listRows(
    user.id,
    { kind: 'keyword', status, limit, ...(before !== undefined && { before }) },
    now,
  );
  return listPage(
    user,
    list,
    rows.map((row) => keywordTaskOf(row, now)),
    next,
  );
};
