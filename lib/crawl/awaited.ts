/** Requests that wait for the end of a task: live calls of v1 (Reading 41), and `wait` of v2 (Reading 45). */
import { whileWaiting } from '../access/wait-slot.ts';
import type { CrawlRequest, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { type EngineName, engines } from '../model/engine.ts';
import { HttpError } from '../model/http-error.ts';
import { reusedSentence } from '../model/reused-age.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { restEnd } from '../pace/engine-rest.ts';
import { clock, preciseClock } from '../runtime/clock.ts';
import type { SerpRow } from '../store/task-row.ts';
import { maxWaitSeconds } from '../task/timing.ts';
import { type Acceptance, createUnqueuedV1Task, createV2Tasks } from './create.ts';
import { readV1Task, readV2Task } from './read-task.ts';
import { findSnapshot } from './reuse.ts';
import { runLive } from './run-live.ts';

/** The part of a live call's time that is left for reading the task and its result. */
const answerSeconds = 0.5;

/**
 * Reading 41: no task is made for a live call whose engine rests for longer than the call can wait, unless
 * stored pages answer it.
 * @throws HttpError 503 with the seconds until the end of the rest.
 */
const refuseAtRest = async (row: SerpRow, until: number): Promise<void> => {
  const end = await restEnd(row.engine);
  if (end <= until || (await findSnapshot(row, clock()))) return;
  const detail = `${engines[row.engine].title} blocks the searches of this service now, so no task was made`;
  throw new HttpError(503, detail, { 'Retry-After': String(Math.ceil(end - preciseClock())) });
};

/** A live call says the age of reused pages in any case, because its client expects new ones. */
const withAge = (task: V1Task): V1Task => ({
  ...task,
  warnings: [...new Set([...task.warnings, ...reusedSentence(task)])],
});

/**
 * Accepts a task of v1, runs it, and returns it when it is final, or as it is after 25 s. A task that cannot
 * run in this time is queued, and is returned at once. A request that repeats another one (`Idempotency-Key`)
 * waits for the task of that one.
 * @throws HttpError 429 if too many requests of the user wait, 503 while the engine rests, and as
 * `createV1Tasks` and `readV1Task`.
 */
export const createLiveTask = async (
  user: Account,
  engine: EngineName,
  request: CrawlRequest,
  baseUrl: string,
  acceptance: Acceptance = {},
): Promise<V1Task> =>
  whileWaiting(user, async () => {
    const until = preciseClock() + maxWaitSeconds - answerSeconds;
    const { row, isNew } = await createUnqueuedV1Task(user, engine, request, baseUrl, {
      ...acceptance,
      admit: async ([row]) => row && refuseAtRest(row, until),
    });
    const mayEnd = isNew ? await runLive(row, until) : true;
    return withAge(await readV1Task(user, row.id, mayEnd ? until - preciseClock() : 0));
  });

/**
 * Accepts and queues a task of v2. With `wait`, returns it when it is final, or as it is after so many
 * seconds.
 * @throws HttpError 429 if too many requests of the user wait, and as `createV2Tasks` and `readV2Task`.
 */
export const createAwaitedTask = async (
  user: Account,
  request: GoogleCrawlRequest,
  baseUrl: string,
  wait: number | undefined,
  fields: ReadonlySet<string> | null = null,
  acceptance?: Acceptance,
): Promise<V2Task> => {
  const create = async () => {
    const [task] = await createV2Tasks(user, [request], baseUrl, clock(), acceptance);
    if (!task) throw new Error('The task has no row');
    return task;
  };
  if (wait === undefined) return create();
  return whileWaiting(user, async () => readV2Task(user, (await create()).id, wait, fields));
};

/**
 * As `readV2Task`. With `wait`, returns the task when it is final, or as it is after so many seconds.
 * @throws HttpError 429 if too many requests of the user wait, and as `readV2Task`.
 */
export const readAwaitedTask = (
  user: Account,
  id: number,
  wait: number | undefined,
  fields: ReadonlySet<string> | null = null,
): Promise<V2Task> => {
  const read = () => readV2Task(user, id, wait, fields);
  return wait === undefined ? read() : whileWaiting(user, read);
};
