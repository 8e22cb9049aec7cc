/**
 * Crawls keywords now: makes their searches due, so that the planner begins each of them once, for all of its
 * keywords. A crawl that runs or waits already is not asked for again.
 */
import { countPages } from '../../access/rate.ts';
import { HttpError } from '../../model/http-error.ts';
import type { CrawlNow, CrawlNowRequest, LeftReason } from '../../model/keyword-selection.ts';
import type { Project, TrackedKeyword } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { calendar } from '../../runtime/calendar.ts';
import { inBatches, inParallel } from '../../runtime/in-parallel.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { changeChunk } from '../../store/chunks.ts';
import { newSearchRow, readSearch, type Subscribed, writeSearch } from '../../store/searches.ts';
import { findProject } from '../find.ts';
import { schedule, searchOf } from '../schedule.ts';
import { crawlsCost, trackedPages } from './keyword-cost.ts';
import { type SelectedChunk, selectChunks } from './select-chunks.ts';

type Left = CrawlNow['left'][number];

/** A keyword that is to be crawled, and its chunk. */
type Wanted = { chunk: number; keyword: TrackedKeyword };

const leftBy = ({ keyword_id }: Pick<TrackedKeyword, 'keyword_id'>, reason: LeftReason): Left => ({
  keyword_id,
  reason,
});

/** Why a search needs no additional crawl; undefined if it does. */
const stateOf = ({ row, subscribers }: Subscribed, now: number): 'running' | 'due' | undefined => {
  if (row?.state === 'running') return 'running';
  const isDue = row !== undefined && row.at <= now;
  return isDue || subscribers.some(({ first_at = now + 1 }) => first_at <= now) ? 'due' : undefined;
};

/** Tries of a write that meets the planner, or another request. */
const tries = 5;

/** A search with the keywords that are to be crawled, as it was read. */
type Candidate = { wanted: readonly Wanted[]; found: Subscribed };

/** Makes a search due now, for the user. Returns why it was not, or undefined. */
const makeDue = async (
  user: Account,
  { project_id }: Project,
  { wanted, found: before }: Candidate,
  now: number,
): Promise<LeftReason | undefined> => {
  const [first] = wanted;
  if (!first) return undefined;
  const { search_hash } = first.keyword;
  let found = before;
  for (let n = 0; n < tries; n++) {
    const state = stateOf(found, now);
    if (state) return state;
    // A keyword whose schedule was lost gets one, or the planner would remove the search.
    const known = new Set(found.subscribers.map(({ keyword_id }) => keyword_id));
    for (const { chunk, keyword } of wanted) {
      if (!known.has(keyword.keyword_id)) await schedule({ user_id: user.id, project_id, chunk }, [keyword]);
    }
    const search = found.subscribers[0]?.search ?? searchOf(first.keyword);
    const row = found.row ?? newSearchRow({ search_hash, search });
    if (await writeSearch({ ...row, at: now, asked_by: user.id })) return undefined;
    found = await readSearch(search_hash);
  }
  return 'later';
};

/** Searches that are counted together, and calls to the table at a time. */
const portion = 100;
const width = 24;

/** Seconds that a request takes at most: less than the gateway waits. */
const requestSeconds = 15;

/** Shows the keywords as waiting for their crawl. */
const showDue = async (projectId: number, crawled: readonly Wanted[], now: number): Promise<void> => {
  const byChunk = Map.groupBy(crawled, ({ chunk }) => chunk);
  await inParallel(byChunk, 4, async ([n, wanted]) => {
    const ids = new Set(wanted.map(({ keyword }) => keyword.keyword_id));
    await changeChunk(projectId, n, (present) =>
      present.map((each) => (ids.has(each.keyword_id) ? { ...each, next_at: now } : each)),
    );
  });
};

/** Counts the pages of searches. Returns whether the limit of the user allows them. */
const areAllowed = async (user: Account, searches: number, isFirst: boolean): Promise<boolean> => {
  try {
    await countPages(user, searches * trackedPages);
    return true;
  } catch (error) {
    if (!isFirst && error instanceof HttpError && error.statusCode === 429) return false;
    throw error;
  }
};

/** What became of the searches of a request. */
type Asked = { crawled: Wanted[]; searches: number; left: Left[] };

/** Makes searches due, portion by portion, or says which ones it would. */
const askFor = async (
  user: Account,
  project: Project,
  searches: readonly (readonly Wanted[])[],
  isDryRun: boolean,
  now: number,
): Promise<Asked> => {
  const asked: Asked = { crawled: [], searches: 0, left: [] };
  const note = (wanted: readonly Wanted[], reason: LeftReason | undefined): void => {
    if (reason) asked.left.push(...wanted.map(({ keyword }) => leftBy(keyword, reason)));
    else {
      asked.crawled.push(...wanted);
      asked.searches += 1;
    }
  };
  const isOver = timeLimit(requestSeconds);
  let rest: LeftReason | undefined;
  for (const some of inBatches(searches, portion)) {
    rest ??= isOver() ? 'later' : undefined;
    const candidates: Candidate[] = [];
    await inParallel(rest ? [] : some, width, async (wanted) => {
      const found = await readSearch(wanted[0]?.keyword.search_hash ?? '');
      const state = stateOf(found, now);
      if (state) note(wanted, state);
      else candidates.push({ wanted, found });
    });
    const isCounted = !rest && !isDryRun && candidates.length > 0;
    if (isCounted && !(await areAllowed(user, candidates.length, asked.searches === 0))) rest = 'limit';
    const unread = candidates.length === 0 && rest ? some : [];
    for (const wanted of unread) note(wanted, rest);
    await inParallel(candidates, width, async (candidate) => {
      note(candidate.wanted, rest ?? (isDryRun ? undefined : await makeDue(user, project, candidate, now)));
    });
  }
  return asked;
};

const partOf = (chunks: readonly SelectedChunk[], isProjectPaused: boolean) => {
  const all = chunks.flatMap(({ n, keywords }) => keywords.map((keyword) => ({ chunk: n, keyword })));
  const active = isProjectPaused ? [] : all.filter(({ keyword }) => !keyword.paused);
  const paused = isProjectPaused ? all : all.filter(({ keyword }) => keyword.paused);
  return {
    searches: [...Map.groupBy(active, ({ keyword }) => keyword.search_hash).values()],
    paused: paused.map(({ keyword }) => keyword),
  };
};

/**
 * The ids that a request names; null for all keywords.
 * @throws HttpError 422 if it names none and has another field: a wrong name would crawl, and cost, them all.
 */
export const idsToCrawl = ({ keyword_ids, unknown_fields = [] }: CrawlNowRequest): number[] | null => {
  if (keyword_ids !== null || unknown_fields.length === 0) return keyword_ids;
  const msg = 'Value error, unknown field. Without keyword_ids, all keywords would be crawled';
  throw new HttpError(
    422,
    unknown_fields.map((name) => ({ loc: ['body', name], type: 'value_error', msg })),
  );
};

/**
 * Crawls keywords of a project now, or says what it would crawl. `ids`: null for all keywords. May be
 * repeated: a search that waits or runs is not crawled again.
 * @throws HttpError 404 if the user has no such project, 429 if the limit of pages is reached before the
 * first search.
 */
export const crawlNow = async (
  user: Account,
  projectId: number,
  ids: readonly number[] | null,
  isDryRun: boolean,
  now = calendar(),
): Promise<CrawlNow> => {
  const project = await findProject(user, projectId);
  const { chunks, unknown } = await selectChunks(projectId, ids);
  const { searches, paused } = partOf(chunks, project.paused);
  const asked = await askFor(user, project, searches, isDryRun, now);
  if (!isDryRun) await showDue(projectId, asked.crawled, now);
  const first = new Map(asked.crawled.map(({ keyword }) => [keyword.search_hash, keyword]));
  return {
    searches: asked.searches,
    keywords: asked.crawled.length,
    pages: asked.searches * trackedPages,
    cost_usd: await crawlsCost([...first.values()]),
    dry_run: isDryRun,
    left: [
      ...unknown.map((keyword_id) => leftBy({ keyword_id }, 'unknown')),
      ...paused.map((keyword) => leftBy(keyword, 'paused')),
      ...asked.left,
    ],
  };
};
