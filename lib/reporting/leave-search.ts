/** Takes a user out of the tracked searches that others may share. */
import { calendar } from '../runtime/calendar.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';
import { forgetPayer, readSearchNames, type SearchNames } from '../store/search-names.ts';
import {
  dropSearch,
  noCrawl,
  readSearch,
  type Subscribed,
  unsubscribe,
  writeSearch,
} from '../store/searches.ts';

/** A search. `row` and `subscribers` are absent if only a later release can read one of them. */
type Found = { names: SearchNames } & Partial<Subscribed>;

/** A search with the names in it, whatever release wrote it. */
const read = async (searchHash: string): Promise<Found> => {
  try {
    const found = await readSearch(searchHash);
    const { task_user = 0, asked_by = 0 } = found.row ?? {};
    return { ...found, names: { task_user, asked_by, subscribers: found.subscribers } };
  } catch (error) {
    if (!(error instanceof LaterReleaseError)) throw error;
    return { names: await readSearchNames(searchHash) };
  }
};

/** Whether the user has subscribers, pays for the crawl that runs, or has asked for the next one. */
const isNamedIn = ({ task_user, asked_by, subscribers }: SearchNames, userId: number): boolean =>
  task_user === userId || asked_by === userId || subscribers.some(({ user_id }) => user_id === userId);

/** Whether a search names the user. */
export const namesUser = async (searchHash: string, userId: number): Promise<boolean> =>
  isNamedIn((await read(searchHash)).names, userId);

/** Tries of a change that meets other writers. */
const changeTries = 20;

/**
 * Removes the user's subscribers from a search, and the search if it has no other ones. A crawl that the user
 * pays for is begun again, for another subscriber. Of a search that only a later release can read, nothing
 * else is changed: the next crawl of that release is one for the other subscribers. Changes nothing if the
 * search does not name the user.
 * @throws if others keep writing the search.
 */
export const leaveSearch = async (searchHash: string, userId: number, now = calendar()): Promise<void> => {
  for (let tries = 0; tries < changeTries; tries++) {
    const { names, row, subscribers } = await read(searchHash);
    if (!isNamedIn(names, userId)) return;
    const own = names.subscribers.filter(({ user_id }) => user_id === userId);
    await unsubscribe(own);
    if (!subscribers) await forgetPayer(searchHash, userId);
    if (row && own.length === names.subscribers.length) await dropSearch(row);
    else if (row && (row.task_user === userId || row.asked_by === userId)) {
      const isPayer = row.task_user === userId;
      const crawlAgain = isPayer && row.state === 'running' && ({ state: 'due', at: now } as const);
      const asked = row.asked_by === userId && { asked_by: 0 };
      await writeSearch({ ...row, ...(isPayer && noCrawl), ...crawlAgain, ...asked });
    }
  }
  throw new Error('Other processes keep writing the search');
};
