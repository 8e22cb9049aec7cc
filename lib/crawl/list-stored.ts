/** The newest searches of a user that have stored pages. */
import { listPageSize } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { listRows } from '../store/lists.ts';
import type { SerpRow } from '../store/task-row.ts';
import { taskId } from '../task/id.ts';
import { lifetimeSeconds } from '../task/timing.ts';

/** Items that are read at most, about 1 MB. */
const readLimit = 1000;

export type StoredSearch = Pick<SerpRow, 'id' | 'keyword' | 'iso_code' | 'engine' | 'pages' | 'crawled_at'>;

/** The rows of the user's newest searches of both versions that have succeeded, newest first: at most 25. */
export const listStored = async (user: Account, now = clock()): Promise<StoredSearch[]> => {
  const { rows } = await listRows(
    user.id,
    {
      status: 'success',
      // The ids of all tasks that have not expired are larger.
      after: taskId(now - lifetimeSeconds, 0) - 1,
      limit: listPageSize,
      left: readLimit,
    },
    now,
  );
  return rows;
};
