/** Live calls (Reading 41): the response is the task with its result. */
import type { CrawlRequest } from '../model/crawl-request.ts';
import type { EngineName } from '../model/engine.ts';
import type { SerpTask } from '../model/serp-task.ts';
import type { Account } from '../model/user.ts';
import { maxWaitSeconds } from '../task/timing.ts';
import { type Acceptance, createUnqueuedTask } from './create.ts';
import { runLive } from './run-live.ts';
import { readSerpTask } from './view.ts';

/** The part of the wait that is left for reading the task and its result. */
const answerSeconds = 0.5;

/**
 * Accepts a task of v1, runs it, and returns it when it is final, or as it is after 25 s. A task that cannot run in this time is queued, and
 * is returned at once. A request that repeats another one (`Idempotency-Key`) waits for the task of that one.
 * @throws as `createSerpTasks` and `readSerpTask`.
 */
export const createLiveTask = async (
  user: Account,
  engine: EngineName,
  request: CrawlRequest,
  baseUrl: string,
  acceptance: Acceptance = {},
): Promise<SerpTask> => {
  const until = Date.now() / 1000 + maxWaitSeconds - answerSeconds;
  const { row, isNew } = await createUnqueuedTask(user, engine, request, baseUrl, acceptance);
  const mayEnd = isNew ? await runLive(row, until) : true;
  return readSerpTask(user, row.id, mayEnd ? until : undefined);
};
