/**
 * Finishes what requests have begun with projects: the removal of all that a deleted project had, the
 * schedule of keywords that were added or go on after a pause, and imports.
 */
import { HttpError } from '../model/http-error.ts';
import { clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';
import { log } from '../runtime/log.ts';
import { collectErrors } from '../runtime/run-errors.ts';
import { timeLimit } from '../runtime/time-limit.ts';
import { type Chunk, deleteChunk, readPresentChunks } from '../store/chunks.ts';
import { deleteHistory } from '../store/observations.ts';
import { endWork, listWork, type ProjectWork, presentWork, workKinds } from '../store/project-work.ts';
import {
  deletePointers,
  deleteProject,
  deleteProjectItems,
  readOwned,
  readProject,
} from '../store/projects.ts';
import { unsubscribe } from '../store/searches.ts';
import { continueImport } from './continue-import.ts';
import { scheduleNew, scheduleResumed } from './schedule.ts';

/** Deletes the history of a keyword. Returns whether nothing is left. */
export const removeHistory = async (keywordId: number, isOver: () => boolean): Promise<boolean> => {
  while (!(await deleteHistory(keywordId))) {
    if (isOver()) return false;
  }
  return true;
};

/** Keywords whose history is deleted at a time. */
const historyWidth = 8;

/** Removes a chunk with all that belongs to its keywords. Returns whether nothing is left. */
const removeChunk = async (
  { user_id, project_id }: ProjectWork,
  { n, keywords }: Chunk,
  isOver: () => boolean,
): Promise<boolean> => {
  await unsubscribe(keywords);
  let isLeft = false;
  await inParallel(
    keywords,
    historyWidth,
    async ({ keyword_id }) => {
      if (!(await removeHistory(keyword_id, isOver))) isLeft = true;
    },
    isOver,
  );
  if (isLeft || isOver()) return false;
  await deletePointers(
    user_id,
    keywords.map(({ keyword_id }) => keyword_id),
  );
  // Deleted last, because it names all the others.
  await deleteChunk(project_id, n);
  return true;
};

/**
 * Removes the pointers to keywords of a project that no chunk names: a request wrote them before another one
 * changed its chunk. Returns whether nothing is left.
 */
const removePointers = async (
  { user_id, project_id }: ProjectWork,
  isOver: () => boolean,
): Promise<boolean> => {
  for await (const { keywords } of readOwned(user_id)) {
    const left = keywords.filter((each) => each.project_id === project_id);
    if (left.length > 0)
      await deletePointers(
        user_id,
        left.map(({ keyword_id }) => keyword_id),
      );
    if (isOver()) return false;
  }
  return true;
};

/** Removes a project and all that belongs to it. Returns whether nothing is left. */
const remove = async (work: ProjectWork, isOver: () => boolean): Promise<boolean> => {
  await deleteProject(work.user_id, work.project_id);
  for (const chunk of await readPresentChunks(work.project_id)) {
    if (isOver() || !(await removeChunk(work, chunk, isOver))) return false;
  }
  if (!(await removePointers(work, isOver))) return false;
  await deleteProjectItems(work.project_id);
  return true;
};

/** Schedules keywords, or continues an import. Returns whether nothing is left. */
const add = async (work: ProjectWork, isOver: () => boolean): Promise<boolean> => {
  if (work.kind === 'import') return continueImport(work, isOver);
  await (work.kind === 'resume' ? scheduleResumed(work) : scheduleNew(work));
  return true;
};

/**
 * Does the rest of some work, as far as the time allows. May be repeated, and may run twice at the same time.
 * Returns whether the work has ended.
 * @throws LaterReleaseError if a later release has begun it, and this one does not know what to do.
 */
export const finishWork = async (stored: ProjectWork, isOver: () => boolean): Promise<boolean> => {
  const work = presentWork(stored);
  if (!workKinds.includes(work.kind)) {
    throw new LaterReleaseError('project work', `kind ${work.kind}`, `kinds ${workKinds.join(', ')}`);
  }
  const isGone = async () => work.kind === 'remove' || !(await readProject(work.user_id, work.project_id));
  const isAdded = !(await isGone()) && (await add(work, isOver));
  // The project may have been deleted meanwhile, and its removal has ended without what was added.
  const isFinished = (await isGone()) ? await remove(work, isOver) : isAdded;
  if (isFinished) await endWork(work);
  return isFinished;
};

/** Seconds for which a request removes what it has written, if the project was deleted meanwhile. */
const removalSeconds = 10;

/**
 * Ends the work of a request that has written all that it wanted to. If the project was deleted meanwhile,
 * what the request has written is removed.
 * @throws HttpError 404 if the project was deleted.
 */
export const endRequest = async (work: ProjectWork): Promise<void> => {
  if (await readProject(work.user_id, work.project_id)) return endWork(work);
  await finishWork(work, timeLimit(removalSeconds));
  throw new HttpError(404, 'Project not found');
};

/**
 * A request has ended by then, or its process has died: it takes at most a minute, and clocks of processes
 * differ by less than five. Work that is ended while its request goes on would lose what the request adds.
 */
const requestSeconds = 360;

/** Less than the minute between two runs. */
const runSeconds = 40;

/**
 * Finishes the work of requests that have ended without finishing it. Returns the number of works that it has
 * ended. What AWS services refuse, and what a later release wrote, is left for a later run.
 * @throws the first other error, after all other work was handled.
 */
export const finishProjectWork = async (now = clock(), isOver = timeLimit(runSeconds)): Promise<number> => {
  const errors = collectErrors();
  let finished = 0;
  for (const work of await listWork(now - requestSeconds)) {
    if (isOver()) break;
    await errors.attempt(async () => {
      if (await finishWork(work, isOver)) finished += 1;
    });
  }
  if (finished > 0) log.info('work on projects finished', { works: finished });
  errors.throwFirst();
  return finished;
};
