/** Schedules the crawls of keywords: makes them subscribers of their searches. */
import type { TrackedKeyword, TrackedSearch } from '../model/tracking.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { type Chunk, readPresentChunks } from '../store/chunks.ts';
import { type NewSubscriber, subscribe } from '../store/searches.ts';

type Place = Pick<NewSubscriber, 'user_id' | 'project_id' | 'chunk'>;

/** The search of a tracked keyword. */
export const searchOf = (keyword: TrackedKeyword): TrackedSearch => {
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
