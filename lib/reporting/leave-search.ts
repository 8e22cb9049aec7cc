/** Takes a user out of the tracked searches that others may share. */
import { calendar } from '../runtime/calendar.ts';
import { dropSearch, readSearch, type Subscribed, unsubscribe, writeSearch } from '../store/searches.ts';

/** What names the user in a search: subscribers, and the task of its last crawl. */
const isNamedIn = ({ row, subscribers }: Subscribed, userId: number): boolean =>
  row?.task_user === userId || subscribers.some(({ user_id }) => user_id === userId);

/** Whether a search names the user. */
export const namesUser = async (searchHash: string, userId: number): Promise<boolean> =>
  isNamedIn(await readSearch(searchHash), userId);

/** Tries of a change that meets other writers. */
const changeTries = 20;

/**
 * Removes the user's subscribers from a search, and the search if it has no other ones. A crawl that the user
 * pays for is begun again, for another subscriber. Changes nothing if the search does not name the user.
 * @throws if others keep writing the search.
 */
export const leaveSearch = async (searchHash: string, userId: number, now = calendar()): Promise<void> => {
  for (let tries = 0; tries < changeTries; tries++) {
    const found = await readSearch(searchHash);
    if (!isNamedIn(found, userId)) return;
    const { row, subscribers } = found;
    const own = subscribers.filter(({ user_id }) => user_id === userId);
    await unsubscribe(own);
    if (row && own.length === subscribers.length) await dropSearch(row);
    else if (row?.task_user === userId) {
      const crawlAgain = row.state === 'running' && ({ state: 'due', at: now } as const);
      await writeSearch({ ...row, task_user: 0, task_id: 0, ...crawlAgain });
    }
  }
  throw new Error('Other processes keep writing the search');
};
