/** Accepts tasks. The response is sent only after the rows and the messages are durable. */
import type { CrawlRequest, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { defaultEngine, type EngineName, engines, pageCount } from '../model/engine.ts';
import { HttpError } from '../model/http-error.ts';
import { maxBatchResponseBytes, payloadBytes } from '../model/request-limits.ts';
import type { Search } from '../model/search.ts';
import { noSearchOptions, type SearchOptions } from '../model/search-options.ts';
import type { TrackedSearch } from '../model/tracking.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { configurationOf } from '../place/engine-list.ts';
import { matchPlace, type PlaceMatch } from '../place/match.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { log } from '../runtime/log.ts';
import { pageUrl } from '../serp/address.ts';
import type { SerpRow } from '../store/task-row.ts';
import { acceptTasks } from '../task/accept.ts';
import { taskId, createdAt as timeOf } from '../task/id.ts';
import { newTask } from '../task/new-task.ts';
import { unstartedSeconds } from '../task/timing.ts';
import { htmlFolder } from './html-folder.ts';
import { searchHash } from './search-hash.ts';
import { v1TaskOf, v2TaskOf } from './view.ts';
import { warningsOf } from './warnings.ts';

/**
 * DynamoDB stores at most 400 KB per row. Later writes add a result of up to 8 KB and the keys of the pages.
 */
const maxRowBytes = 380_000;

/** Reading 5: `pages` contains all planned pages from creation on. */
const plannedPages = (search: Search): SerpRow['pages'] =>
  Array.from({ length: pageCount(search.engine, search.depth) }, (_, n) => ({
    page: n + 1,
    url: pageUrl(search, n + 1),
    status: 'awaiting',
    retry_count: 0,
    html: '',
  }));

/** A request, and what its version of the API decides. */
type NewSearch = CrawlRequest &
  SearchOptions &
  Pick<SerpRow, 'engine' | 'depth' | 'api' | 'form' | 'form_webhook'>;

/** A request, and the places that its `location_name` can mean; null if it names none. */
type PlacedRequest = { request: NewSearch; place: PlaceMatch | null };

/**
 * Reading 15: a known `se_id` fills the fields that are empty strings. One of another country than `iso_code`
 * fills none, because the engine would be asked for two countries at once.
 */
const withEngineRow = (request: NewSearch): NewSearch => {
  const row = configurationOf(request);
  if (!row) return request;
  const location_name = request.location_name || row.country_name;
  return { ...request, location_name, language_code: request.language_code || row.localization };
};

const withPlaces = (requests: readonly NewSearch[]): Promise<PlacedRequest[]> =>
  Promise.all(
    requests.map(async (request) => {
      const { location_name, iso_code } = request;
      return { request, place: location_name === '' ? null : await matchPlace(location_name, iso_code) };
    }),
  );

const newRow = (
  userId: number,
  id: number,
  { request, place }: PlacedRequest,
  baseUrl: string,
  now: number,
  isQueued: boolean,
): SerpRow => {
  const { unknown_fields, ...asked } = request;
  // Reading 15: an empty engine domain means the engine's default.
  const search = { ...asked, engine_domain: asked.engine_domain || engines[asked.engine].domain };
  // The engine gets the place in the spelling of the table. The task echoes it as given.
  const placed = { ...search, location_name: place?.name ?? '' };
  const warnings = warningsOf(request, place);
  return {
    ...search,
    ...newTask({ userId, id, baseUrl, ...(!isQueued && { unclaimed: unstartedSeconds }) }, now),
    kind: 'serp',
    ...(warnings.length > 0 && { warnings }),
    snapshot_hash: searchHash(placed),
    html_folder: htmlFolder(search),
    pages: plannedPages(placed),
    reused: false,
    complete: false,
  };
};

/** How requests are accepted, if not as usual. */
export type Acceptance = Pick<
  Parameters<typeof acceptTasks<SerpRow>>[0],
  'admit' | 'idempotency' | 'isQueued' | 'batch'
>;

/**
 * Accepts all searches or none, and returns their rows, in the status `awaiting`. `isNew`: false if an
 * earlier request with the same `Idempotency-Key` has created the tasks. `show` makes the task of the
 * response.
 * @throws HttpError 413 if the response would exceed 5 MB as Lambda counts it (Reading 28), or if a search is
 * too long to be stored. Nothing is written then. 409 or 422 because of the `Idempotency-Key`.
 */
const accept = async (
  user: Account,
  requests: readonly NewSearch[],
  baseUrl: string,
  show: (row: SerpRow) => unknown,
  now: number,
  acceptance: Acceptance = {},
): Promise<{ rows: SerpRow[]; isNew: boolean }> => {
  const placed = await withPlaces(requests.map(withEngineRow));
  const { isQueued = true } = acceptance;
  const rowsAt = (createdAt: number): SerpRow[] => {
    // The sizes are measured with placeholder ids of full length, because only accepted tasks have a number.
    const rows = placed.map((request) =>
      newRow(user.id, taskId(createdAt, 0), request, baseUrl, createdAt, isQueued),
    );
    if (payloadBytes(rows.map(show)) > maxBatchResponseBytes) {
      throw new HttpError(413, 'The answer to this batch would pass 5 MB: send fewer tasks at once');
    }
    if (rows.some((row) => Buffer.byteLength(JSON.stringify(row)) > maxRowBytes)) {
      throw new HttpError(413, 'A search with such long fields cannot be stored');
    }
    return rows;
  };
  const accepted = await acceptTasks({ userId: user.id, rowsAt, ...acceptance }, now);
  if (accepted.isNew) {
    const ids = accepted.rows.map(({ id }) => id);
    const idFields =
      ids.length === 1 ? { task_id: ids[0] } : { first_task_id: ids[0], last_task_id: ids.at(-1) };
    log.info('tasks accepted', { ...idFields, tasks: ids.length }, { TasksAccepted: ids.length });
  }
  return accepted;
};

/**
 * Accepts all tasks of v2 or none, and returns them in the status `awaiting`.
 * @throws HttpError 413 if the response would exceed 5 MB as Lambda counts it (Reading 28), or if a search is
 * too long to be stored. Nothing is written then.
 */
export const createV2Tasks = async (
  user: Account,
  requests: readonly GoogleCrawlRequest[],
  baseUrl: string,
  now = clock(),
  acceptance?: Acceptance,
): Promise<V2Task[]> => {
  const searches = requests.map((request) => ({ ...request, engine: defaultEngine }));
  const show = (row: SerpRow) => v2TaskOf(row, null);
  const { rows } = await accept(user, searches, baseUrl, show, now, acceptance);
  return rows.map(show);
};

/** The pages of a task of v1 that tracks a domain. */
const trackedPages = 10;

/** Reading 5: v1 has no depth. It reads the first page, or ten pages if a domain is tracked. */
export const depthOf = (engine: EngineName, { domain }: Pick<CrawlRequest, 'domain'>): number =>
  engines[engine].resultsPerPage * (domain ? trackedPages : 1);

const v1Searches = (engine: EngineName, requests: readonly CrawlRequest[]) =>
  requests.map((request) => ({
    ...request,
    engine,
    depth: depthOf(engine, request),
    api: 'v1' as const,
    ...noSearchOptions,
  }));

/** As `createV2Tasks`, for tasks of v1. */
export const createV1Tasks = async (
  user: Account,
  engine: EngineName,
  requests: readonly CrawlRequest[],
  baseUrl: string,
  now = clock(),
  acceptance?: Acceptance,
): Promise<V1Task[]> => {
  const show = (row: SerpRow) => v1TaskOf(row, null);
  const { rows } = await accept(user, v1Searches(engine, requests), baseUrl, show, now, acceptance);
  return rows.map(show);
};

/**
 * Accepts a task of v1 that is not queued: the caller runs it. If the caller dies, the sweeper queues it
 * soon. `isNew`: false if an earlier request with the same `Idempotency-Key` has created the task. Throws as
 * `createV2Tasks`.
 */
export const createUnqueuedV1Task = async (
  user: Account,
  engine: EngineName,
  request: CrawlRequest,
  baseUrl: string,
  acceptance: Acceptance,
  now = clock(),
): Promise<{ row: SerpRow; isNew: boolean }> => {
  const show = (row: SerpRow) => v1TaskOf(row, null);
  const searches = v1Searches(engine, [request]);
  const { rows, isNew } = await accept(user, searches, baseUrl, show, now, {
    ...acceptance,
    isQueued: false,
  });
  const [row] = rows;
  if (!row) throw new Error('The task has no row');
  return { row, isNew };
};

/** A search of any engine, with a depth in results. */
export type AnySearch = CrawlRequest &
  SearchOptions &
  Pick<SerpRow, 'engine' | 'depth' | 'form' | 'form_webhook'>;

/**
 * Accepts searches of any engine to any depth, all or none, and returns their rows: tasks of v2 for its
 * engine, of v1 for the others. Throws as `createV2Tasks`.
 */
export const createSearches = async (
  user: Account,
  searches: readonly AnySearch[],
  baseUrl: string,
  acceptance?: Acceptance,
  now = clock(),
): Promise<SerpRow[]> => {
  const requests = searches.map((search) => ({
    ...search,
    ...(search.engine !== defaultEngine && { api: 'v1' as const }),
  }));
  const show = (row: SerpRow) => v2TaskOf(row, null);
  return (await accept(user, requests, baseUrl, show, now, acceptance)).rows;
};

/** As `createSearches`, for one. */
export const createSearch = async (user: Account, search: AnySearch, baseUrl: string): Promise<SerpRow> => {
  const [row] = await createSearches(user, [search], baseUrl);
  if (!row) throw new Error('The task has no row');
  return row;
};

/** A crawl of a tracked search, with the id that is reserved for its task. */
export type TrackedCrawl = { user_id: number; id: number; search: TrackedSearch };

/** Reading 40: a tracked search is crawled on its own schedule, with ten pages and without reuse. */
const trackedRequest = ({ engine, ...search }: TrackedSearch): NewSearch => ({
  ...search,
  engine,
  depth: engines[engine].resultsPerPage * trackedPages,
  ...(engine !== defaultEngine && { api: 'v1' as const }),
  ...noSearchOptions,
  domain: null,
  business_name: null,
  competitors: null,
  keyword_id: null,
  frequency: 0,
  se_id: 0,
  postback_url: null,
  // Marks the tasks of tracked searches among a user's tasks.
  post_id: 'tracking',
  priority: 1,
});

/**
 * The rows of the tasks of tracked searches: tasks of version 2 for its engine, and of version 1 for the
 * others. The id of a task says when it was created.
 */
export const trackedRows = async (crawls: readonly TrackedCrawl[]): Promise<SerpRow[]> => {
  const placed = await withPlaces(crawls.map(({ search }) => trackedRequest(search)));
  const baseUrl = setting('PUBLIC_URL').replace(/\/+$/, '');
  return crawls.flatMap(({ user_id, id }, n) => {
    const request = placed[n];
    if (!request) return [];
    const row = newRow(user_id, id, request, baseUrl, timeOf(id), true);
    return { ...row, html_folder: htmlFolder(request.request, true) };
  });
};
