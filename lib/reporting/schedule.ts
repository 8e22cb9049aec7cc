/** Schedules the crawls of keywords: makes them subscribers of their searches. */
import type { TrackedKeyword, TrackedSearch } from '../model/tracking.ts';
import { calendar } from '../runtime/calendar.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { type Chunk, changeChunk, readPresentChunks } from '../store/chunks.ts';
import { type NewSubscriber, subscribe } from '../store/searches.ts';
import { firstDueTime } from './due-time.ts';

type Place = Pick<NewSubscriber, 'user_id' | 'project_id' | 'chunk'>;

/** The search of a tracked keyword. */
export const searchOf = (keyword: TrackedKeyword): TrackedSearch => {
  const { engine, engine_domain, keyword: text, location_name, iso_code, language_code, device } = keyword;
  return { engine, engine_domain, keyword: text, location_name, iso_code, language_code, device };
};

/** Schedules the crawls of keywords of a chunk: the next one is due at `next_at`. May be repeated. */
export const schedule = (
  place: Place,
  keywords: readonly TrackedKeyword[],
  now = calendar(),
): Promise<void> =>
  subscribe(
    keywords.map((keyword) => ({
      ...place,
      search: searchOf(keyword),
      search_hash: keyword.search_hash,
      keyword_id: keyword.keyword_id,
      update_frequency: keyword.update_frequency,
      first_at: keyword.next_at,
    })),
    now,
  );

/** Whether a keyword may have no schedule, because the process that added it died. */
export const mayBeUnscheduled = ({ paused, ranks, gap }: TrackedKeyword): boolean =>
  !paused && !ranks[0]?.current && !gap;

/** Schedules the keywords of some chunks that were never crawled. `isWanted` selects some of them. */
export const scheduleChunks = (
  { user_id, project_id }: Pick<Place, 'user_id' | 'project_id'>,
  chunks: readonly Chunk[],
  isWanted: (keyword: TrackedKeyword) => boolean,
): Promise<void> =>
  inParallel(chunks, 4, ({ n, keywords }) =>
    schedule(
      { user_id, project_id, chunk: n },
      keywords.filter((keyword) => mayBeUnscheduled(keyword) && isWanted(keyword)),
    ),
  );

/** Schedules the keywords of a project that were never crawled. `isWanted` selects some of them. */
export const scheduleNew = async (
  project: Pick<Place, 'user_id' | 'project_id'>,
  isWanted: (keyword: TrackedKeyword) => boolean = () => true,
): Promise<void> => scheduleChunks(project, await readPresentChunks(project.project_id), isWanted);

/**
 * Schedules the keywords of a project that goes on after a pause, within the hour: those whose crawl became
 * due meanwhile, and those that were never crawled. Another project that tracks the same search less often
 * may have moved its next crawl. May be repeated.
 */
export const scheduleResumed = async (
  { user_id, project_id }: Pick<Place, 'user_id' | 'project_id'>,
  now = calendar(),
): Promise<void> => {
  const resumed = (keyword: TrackedKeyword): TrackedKeyword =>
    keyword.paused || keyword.next_at > now
      ? keyword
      : { ...keyword, next_at: firstDueTime(keyword.search_hash, now) };
  await inParallel(await readPresentChunks(project_id), 4, async ({ n, keywords }) => {
    const wanted = keywords.filter((each) => resumed(each) !== each || mayBeUnscheduled(each));
    if (wanted.length === 0) return;
    // If the process dies between the two writes, the keywords are scheduled again.
    await schedule({ user_id, project_id, chunk: n }, wanted.map(resumed), now);
    await changeChunk(project_id, n, (present) => present.map(resumed));
  });
};
