/** Changes and deletes single tracked keywords. */
import { HttpError } from '../../model/http-error.ts';
import type { ManagedKeyword } from '../../model/managed-keyword.ts';
import { uniqueTags } from '../../model/tag.ts';
import type { KeywordChange } from '../../model/tracked-keyword.ts';
import type { TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { changeChunk } from '../../store/chunks.ts';
import { deletePointers, findKeyword } from '../../store/projects.ts';
import { unsubscribe } from '../../store/searches.ts';
import { firstDueTime } from '../due-time.ts';
import { findProject, findTracked } from '../find.ts';
import { removeHistory } from '../finish-work.ts';
import { schedule } from '../schedule.ts';
import { managedKeywordOf } from './show-keyword.ts';

/** The keyword of a request. */
type Named = { project_id: number; keyword_id: number };

const unknown = () => new HttpError(404, 'Keyword not found');

/**
 * The keyword, its project and its chunk. Throws HttpError 404 if the user has no such project, or no such
 * keyword in it.
 */
const findPlaced = async (user: Account, { project_id, keyword_id }: Named) => {
  await findProject(user, project_id);
  const [tracked, place] = await Promise.all([
    findTracked(user, keyword_id, project_id),
    findKeyword(user.id, keyword_id),
  ]);
  if (!place) throw unknown();
  return { ...tracked, chunk: place.chunk };
};

/** The keyword after a change. One that is no longer paused is crawled within the hour. */
export const changed = (
  keyword: TrackedKeyword,
  {
    paused = keyword.paused,
    update_frequency = keyword.update_frequency,
    tags = keyword.tags,
    new_chart_url,
  }: KeywordChange,
  now: number,
): TrackedKeyword => {
  const isResumed = keyword.paused && !paused;
  const next_at = isResumed ? firstDueTime(keyword.search_hash, now) : keyword.next_at;
  return {
    ...keyword,
    paused,
    update_frequency,
    next_at,
    ...(tags && { tags: uniqueTags(tags) }),
    ...(new_chart_url && { chart_links_ended: (keyword.chart_links_ended ?? 0) + 1 }),
  };
};

/**
 * Pauses or resumes a keyword, changes how often it is crawled, or ends the links to its chart. May be
 * repeated.
 * @throws HttpError 404 if the user has no such keyword in the project.
 */
export const changeKeyword = async (
  user: Account,
  named: Named,
  change: KeywordChange,
  baseUrl: string,
  now = calendar(),
): Promise<ManagedKeyword> => {
  const { project, keyword, chunk } = await findPlaced(user, named);
  const { project_id } = project;
  const wanted = changed(keyword, change, now);
  // If the process dies between the two writes, the keyword is crawled although it is paused, never the other
  // way round.
  if (!wanted.paused) await schedule({ user_id: user.id, project_id, chunk }, [wanted]);
  const { keywords } = await changeChunk(project_id, chunk, (present) =>
    present.map((each) => (each.keyword_id === named.keyword_id ? changed(each, change, now) : each)),
  );
  if (wanted.paused) await unsubscribe([wanted]);
  const written = keywords.find(({ keyword_id }) => keyword_id === named.keyword_id);
  if (!written) {
    await unsubscribe([wanted]);
    throw unknown();
  }
  return managedKeywordOf(written, { user, project, baseUrl, now });
};

/** Seconds for which a request deletes history. The rest expires. */
const historySeconds = 10;

/**
 * Deletes a keyword with its history, and returns what it was.
 * @throws HttpError 404 if the user has no such keyword in the project.
 */
export const removeKeyword = async (
  user: Account,
  named: Named,
  baseUrl: string,
  now = calendar(),
): Promise<ManagedKeyword> => {
  const { project, keyword, chunk } = await findPlaced(user, named);
  // If the process dies after this, the next crawl of the search removes the schedule, and the history
  // expires.
  await changeChunk(project.project_id, chunk, (present) =>
    present.filter(({ keyword_id }) => keyword_id !== named.keyword_id),
  );
  await unsubscribe([keyword]);
  await removeHistory(named.keyword_id, timeLimit(historySeconds));
  await deletePointers(user.id, [named.keyword_id]);
  return managedKeywordOf(keyword, { user, project, baseUrl, now });
};
