/** Changes and deletes several keywords of a project at once, chunk by chunk. */
import { HttpError } from '../../model/http-error.ts';
import type { ChangedKeywords, KeywordsChange } from '../../model/keyword-selection.ts';
import { maxKeywordTags, tagKey, uniqueTags } from '../../model/tag.ts';
import type { TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { changeChunk } from '../../store/chunks.ts';
import { deletePointers } from '../../store/projects.ts';
import { unsubscribe } from '../../store/searches.ts';
import { findProject } from '../find.ts';
import { removeHistory } from '../finish-work.ts';
import { schedule } from '../schedule.ts';
import { changed } from './change-keyword.ts';
import { type SelectedChunk, selectChunks } from './select-chunks.ts';

/** Seconds that a request takes at most: less than the gateway waits. */
const requestSeconds = 18;

const width = 4;

const idsOf = (keywords: readonly TrackedKeyword[]): number[] => keywords.map(({ keyword_id }) => keyword_id);

/** Does something with each chunk that has named keywords, as far as the time allows. */
const eachChunk = async (
  user: Account,
  projectId: number,
  ids: readonly number[],
  work: (chunk: SelectedChunk, noteFull: (id: number) => void) => Promise<void>,
): Promise<ChangedKeywords> => {
  await findProject(user, projectId);
  const { chunks, unknown } = await selectChunks(projectId, ids);
  const left = new Set(chunks.flatMap(({ keywords }) => idsOf(keywords)));
  const named = left.size;
  const full = new Set<number>();
  const isOver = timeLimit(requestSeconds);
  const change = async (chunk: SelectedChunk) => {
    try {
      await work(chunk, (id) => full.add(id));
    } catch (error) {
      // Others kept changing the chunk: its keywords are left.
      if (error instanceof HttpError && error.statusCode === 409) return;
      throw error;
    }
    for (const id of idsOf(chunk.keywords)) left.delete(id);
  };
  await inParallel(chunks, width, change, isOver);
  return { changed: named - left.size, unknown, full: [...full], left: [...left] };
};

/** The tags of a keyword after a change; undefined if they would be too many. */
const retagged = (
  { tags = [] }: TrackedKeyword,
  added: readonly string[],
  removed: readonly string[],
): string[] | undefined => {
  const gone = new Set(removed.map(tagKey));
  const after = uniqueTags([...tags.filter((tag) => !gone.has(tagKey(tag))), ...added]);
  return after.length > maxKeywordTags ? undefined : after;
};

/**
 * Changes keywords of a project. May be repeated. What the time is not enough for is left.
 * @throws HttpError 404 if the user has no such project.
 */
export const changeKeywords = (
  user: Account,
  projectId: number,
  { keyword_ids, add_tags = [], remove_tags = [], ...change }: KeywordsChange,
  now = calendar(),
): Promise<ChangedKeywords> => {
  const isScheduled = change.paused !== undefined || change.update_frequency !== undefined;
  return eachChunk(user, projectId, keyword_ids, async ({ n, keywords }, noteFull) => {
    const ids = new Set(idsOf(keywords));
    const after = (keyword: TrackedKeyword): TrackedKeyword => {
      const tags = retagged(keyword, add_tags, remove_tags);
      if (tags === undefined) noteFull(keyword.keyword_id);
      return changed(keyword, { ...change, ...(tags && { tags }) }, now);
    };
    const wanted = keywords.map((keyword) => changed(keyword, change, now));
    // As for one keyword: if the process dies between the writes, a paused one is crawled, never the other
    // way round.
    const active = isScheduled ? wanted.filter(({ paused }) => !paused) : [];
    await schedule({ user_id: user.id, project_id: projectId, chunk: n }, active);
    await changeChunk(projectId, n, (present) =>
      present.map((each) => (ids.has(each.keyword_id) ? after(each) : each)),
    );
    if (change.paused) await unsubscribe(wanted);
  });
};

/** Histories that are deleted at a time. */
const historyWidth = 8;

/**
 * Deletes keywords of a project with their history. May be repeated. What the time is not enough for is left.
 * @throws HttpError 404 if the user has no such project.
 */
export const removeKeywords = (
  user: Account,
  projectId: number,
  keywordIds: readonly number[],
): Promise<ChangedKeywords> =>
  eachChunk(user, projectId, keywordIds, async ({ n, keywords }) => {
    await unsubscribe(keywords);
    await inParallel(keywords, historyWidth, async ({ keyword_id }) => {
      await removeHistory(keyword_id, () => false);
    });
    // The chunk after the history, which it names: a request that died can be sent again.
    const ids = new Set(idsOf(keywords));
    await changeChunk(projectId, n, (present) => present.filter(({ keyword_id }) => !ids.has(keyword_id)));
    await deletePointers(user.id, [...ids]);
  });
