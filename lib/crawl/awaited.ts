/** Requests that wait for the end of a task: live calls of v1 (Reading 41), and `wait` of v2 (Reading 45). */
import { whileWaiting } from '../access/wait-slot.ts';
import type { CrawlRequest, GoogleCrawlRequest } from '../model/crawl-request.ts';
import type { EngineName } from '../model/engine.ts';
import type { GoogleSerpTask } from '../model/google-serp-task.ts';
import type { SerpTask } from '../model/serp-task.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { maxWaitSeconds } from '../task/timing.ts';
import { type Acceptance, createTasks, createUnqueuedTask } from './create.ts';
import { runLive } from './run-live.ts';
import { readSerpTask, readTask } from './view.ts';

/** The part of a live call's time that is left for reading the task and its result. */
const answerSeconds = 0.5;

/**
 * Accepts a task of v1, runs it, and returns it when it is final, or as it is after 25 s. A task that cannot run in this time is queued, and
 * is returned at once. A request that repeats another one (`Idempotency-Key`) waits for the task of that one.
 * @throws HttpError 429 if too many requests of the user wait, and as `createSerpTasks` and `readSerpTask`.
 */
export const createLiveTask = async (
  user: Account,
  engine: EngineName,
  request: CrawlRequest,
  baseUrl: string,
  acceptance: Acceptance = {},
): Promise<SerpTask> =>
  whileWaiting(user, async () => {
    const until = Date.now() / 1000 + maxWaitSeconds - answerSeconds;
    const { row, isNew } = await createUnqueuedTask(user, engine, request, baseUrl, acceptance);
    const mayEnd = isNew ? await runLive(row, until) : true;
    return readSerpTask(user, row.id, mayEnd ? until - Date.now() / 1000 : 0);
  });

/**
 * Accepts and queues a task of v2. With `wait`, returns it when it is final, or as it is after so many seconds.
 * @throws HttpError 429 if too many requests of the user wait, and as `createTasks` and `readTask`.
 */
export const createAwaitedTask = async (
  user: Account,
  request: GoogleCrawlRequest,
  baseUrl: string,
  wait: number | undefined,
  acceptance?: Acceptance,
): Promise<GoogleSerpTask> => {
  const create = async () => {
    const [task] = await createTasks(user, [request], baseUrl, clock(), acceptance);
    if (!task) throw new Error('The task has no row');
    return task;
  };
  if (wait === undefined) return create();
  return whileWaiting(user, async () => readTask(user, (await create()).id, wait));
};

/**
 * As `readTask`. With `wait`, returns the task when it is final, or as it is after so many seconds.
 * @throws HttpError 429 if too many requests of the user wait, and as `readTask`.
 */
export const readAwaitedTask = (
  user: Account,
  id: number,
  wait: number | undefined,
  fields: ReadonlySet<string> | null = null,
): Promise<GoogleSerpTask> => {
  const read = () => readTask(user, id, wait, fields);
  return wait === undefined ? read() : whileWaiting(user, read);
};
