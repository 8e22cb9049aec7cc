/**
 * Finishes what requests have begun with projects: the removal of all that a deleted project had, and the
 * schedule of added keywords.
 */
import type { TrackedKeyword, TrackedSearch } from '../model/tracking.ts';
import { clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { log } from '../runtime/log.ts';
import { timeLimit } from '../runtime/time-limit.ts';
import { type Chunk, deleteChunk, readPresentChunks } from '../store/chunks.ts';
import { deleteHistory } from '../store/observations.ts';
import { endWork, listWork, type ProjectWork } from '../store/project-work.ts';
import { deletePointers, deleteProject, deleteProjectItems, readProject } from '../store/projects.ts';
import { type NewSubscriber, subscribe, unsubscribe } from '../store/searches.ts';

type Place = Pick<NewSubscriber, 'user_id' | 'project_id' | 'chunk'>;

/** The search of a tracked keyword. */
const searchOf = (keyword: TrackedKeyword): TrackedSearch => {
  const { engine, engine_domain, keyword: text, location_name, iso_code, language_code, device } = keyword;
  return { engine, engine_domain, keyword: text, location_name, iso_code, language_code, device };
};

/** Schedules the crawls of keywords of a chunk: the next one is due at `next_at`. May be repeated. */
export const schedule = (place: Place, keywords: readonly TrackedKeyword[]): Promise<void> =>
  subscribe(
    keywords.map((keyword) => ({
      ...place,
      search: searchOf(keyword),
      search_hash: keyword.search_hash,
      keyword_id: keyword.keyword_id,
      update_frequency: keyword.update_frequency,
      first_at: keyword.next_at,
    })),
  );

/** Whether a keyword may have no schedule, because the process that added it died. */
const mayBeUnscheduled = ({ paused, ranks, gap }: TrackedKeyword): boolean =>
  !paused && !ranks[0]?.current && !gap;

/** Schedules the keywords of a project that were never crawled. `isWanted` selects some of them. */
export const scheduleNew = async (
  { user_id, project_id }: Pick<ProjectWork, 'user_id' | 'project_id'>,
  isWanted: (keyword: TrackedKeyword) => boolean = () => true,
): Promise<void> => {
  await inParallel(await readPresentChunks(project_id), 4, ({ n, keywords }) =>
    schedule(
      { user_id, project_id, chunk: n },
      keywords.filter((keyword) => mayBeUnscheduled(keyword) && isWanted(keyword)),
    ),
  );
};

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

/** Removes a project and all that belongs to it. Returns whether nothing is left. */
const remove = async (work: ProjectWork, isOver: () => boolean): Promise<boolean> => {
  await deleteProject(work.user_id, work.project_id);
  for (const chunk of await readPresentChunks(work.project_id)) {
    if (isOver() || !(await removeChunk(work, chunk, isOver))) return false;
  }
  await deleteProjectItems(work.project_id);
  return true;
};

/**
 * Does the rest of some work, as far as the time allows. May be repeated, and may run twice at the same time.
 * Returns whether the work has ended.
 */
export const finishWork = async (work: ProjectWork, isOver: () => boolean): Promise<boolean> => {
  const isRemoved = work.kind === 'remove' || !(await readProject(work.user_id, work.project_id));
  if (!isRemoved) await scheduleNew(work);
  const isFinished = !isRemoved || (await remove(work, isOver));
  if (isFinished) await endWork(work);
  return isFinished;
};

/** A request has ended by then, or its process has died. */
const requestSeconds = 60;

/** Less than the minute between two runs. */
const runSeconds = 40;

/**
 * Finishes the work of requests that have ended without finishing it. Returns the number of works that it has
 * ended.
 */
export const finishProjectWork = async (now = clock(), isOver = timeLimit(runSeconds)): Promise<number> => {
  let finished = 0;
  for (const work of await listWork(now - requestSeconds)) {
    if (isOver()) break;
    if (await finishWork(work, isOver)) finished += 1;
  }
  if (finished > 0) log.info('work on projects finished', { works: finished });
  return finished;
};
