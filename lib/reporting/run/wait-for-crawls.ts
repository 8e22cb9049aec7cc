/**
 * Finds out what the crawls of tracked searches gave. A crawl that is not final is looked at again later; a
 * lost one is repeated.
 */
import { trackedRows } from '../../crawl/create.ts';
import type { Gap } from '../../model/tracking.ts';
import { isUsable } from '../../model/user.ts';
import { clockOf } from '../../runtime/calendar.ts';
import { readResult } from '../../store/results.ts';
import {
  noCrawl,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  writeSearch,
} from '../../store/searches.ts';
import type { SerpRow } from '../../store/task-row.ts';
import { readAccount } from '../../store/users.ts';
import { acceptMissing } from '../../task/accept.ts';
import { deadlineOf } from '../../task/deadline.ts';
import { createdAt } from '../../task/id.ts';
import { isFinal } from '../../task/status.ts';
import { checkSeconds } from './check-time.ts';
import type { CrawledPages } from './read-position.ts';

/** What a finished crawl gave: its pages, or the reason why they give no positions. */
export type Outcome = CrawledPages | Gap;

/** Why a crawl that has ended gives no positions; null if it does (Reading 6). */
const faultOf = ({ status, complete, error_message, failure }: SerpRow): string | null => {
  if (status !== 'success') return error_message ?? `machinery: the task ended as ${status}`;
  if (complete) return null;
  return failure ?? 'incomplete: the engine answered other words than those asked';
};

/**
 * The outcome of a crawl that began at `began` on the calendar, from its final task. A gap has the time of
 * the beginning, which no repetition changes. The pages are later by as many seconds as the task took.
 */
const outcomeOf = async (row: SerpRow, began: number): Promise<Outcome> => {
  const reason = faultOf(row);
  if (reason !== null) return { at: began, reason };
  const stored = await readResult(row);
  if (!stored) return { at: began, reason: 'machinery: the result of the task is gone' };
  return {
    at: began + row.crawled_at - row.created_at,
    result: stored.result,
    first: stored.pages['1'] ?? stored.result,
  };
};

/** A search whose crawl has ended. */
export type Finished = { row: SearchRow; subscribers: Subscriber[]; outcome: Outcome };

/** Looks at the crawl of a search again later. */
const checkLater = (row: SearchRow, now: number): Promise<boolean> =>
  writeSearch({ ...row, at: now + checkSeconds(row.checks + 1), checks: row.checks + 1 });

/**
 * Creates the task of a search again, because the planner died before it did, or its write was lost. Returns
 * a gap if the deadline of the task is past: then the crawl has failed.
 */
const createAgain = async (row: SearchRow, now: number): Promise<Gap | undefined> => {
  const created = createdAt(row.task_id);
  if (clockOf(now) >= deadlineOf(created)) {
    return { at: row.crawl_at, reason: 'machinery: the task of the crawl is gone' };
  }
  // On a fast calendar, the planner may still be about to create the task.
  if (clockOf(now) < created + checkSeconds(0)) return undefined;
  const rows = await trackedRows([{ user_id: row.task_user, id: row.task_id, search: row.search }]);
  await acceptMissing(rows);
  return undefined;
};

/** Whether a user may have new tasks: one that was erased gets none. */
const mayPay = async (userId: number, now: number): Promise<boolean> => {
  const account = await readAccount(userId);
  return account !== undefined && isUsable(account, clockOf(now));
};

/**
 * Finds the outcome of a search's crawl. Undefined if it is not final yet: then the search is looked at again
 * later. A lost crawl whose payer may not pay any more is given up.
 */
export const finishedOf = async (
  { row, subscribers }: Subscribed & { row: SearchRow },
  task: SerpRow | undefined,
  now: number,
): Promise<Finished | undefined> => {
  if (!task && !(await mayPay(row.task_user, now))) {
    // The next run of the planner begins the crawl again for others, or removes the search.
    await writeSearch({ ...row, ...noCrawl, state: 'due', at: now });
    return undefined;
  }
  const lost = task ? undefined : await createAgain(row, now);
  if (lost) return { row, subscribers, outcome: lost };
  if (!task || !isFinal(task.status)) {
    await checkLater(row, now);
    return undefined;
  }
  return { row, subscribers, outcome: await outcomeOf(task, row.crawl_at) };
};

export type Running = Subscribed & { row: SearchRow };

export const isRunning = (subscribed: Subscribed, now: number): subscribed is Running =>
  subscribed.row?.state === 'running' && subscribed.row.at <= now;
