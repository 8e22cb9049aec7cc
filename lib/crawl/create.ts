/** Accepts tasks. The response is sent only after the rows and the messages are durable. */
import { randomBytes } from 'node:crypto';
import type { CrawlRequest, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { defaultEngine, type EngineName, engines, pageCount } from '../model/engine.ts';
import type { GoogleSerpTask } from '../model/google-serp-task.ts';
import { HttpError } from '../model/http-error.ts';
import { maxBatchResponseBytes, payloadBytes } from '../model/request-limits.ts';
import type { Search } from '../model/search.ts';
import type { SerpTask } from '../model/serp-task.ts';
import type { Account } from '../model/user.ts';
import { matchPlace, type PlaceMatch } from '../place/match.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { scope } from '../runtime/scope.ts';
import { pageUrl } from '../serp/address.ts';
import { putBatch } from '../store/batches.ts';
import { unfinishedPartition } from '../store/partitions.ts';
import { rowVersion, type SerpRow } from '../store/task-row.ts';
import { putNewRow, putRows, reserveNumbers } from '../store/tasks.ts';
import { deadlineOf } from '../task/deadline.ts';
import { batchTaskIds, taskId } from '../task/id.ts';
import { queueTasks } from '../task/queue.ts';
import { lifetimeSeconds, unclaimedSeconds } from '../task/timing.ts';
import { newBatch } from './new-batch.ts';
import { searchHash } from './search-hash.ts';
import { serpTaskOf, taskOf } from './view.ts';
import { warningsOf } from './warnings.ts';

/** DynamoDB stores at most 400 KB per row. Later writes add a result of up to 8 KB and the keys of the pages. */
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
type NewSearch = CrawlRequest & Pick<SerpRow, 'engine' | 'depth' | 'api'>;

/** A request, and the places that its `location_name` can mean; null if it names none. */
type PlacedRequest = { request: NewSearch; place: PlaceMatch | null };

/** Matches each place of a batch once. */
const withPlaces = (requests: readonly NewSearch[]): Promise<PlacedRequest[]> => {
  const matches = new Map<string, Promise<PlaceMatch>>();
  return Promise.all(
    requests.map(async (request) => {
      const { location_name, iso_code } = request;
      if (location_name === '') return { request, place: null };
      const key = `${iso_code} ${location_name}`;
      const match = matches.get(key) ?? matchPlace(location_name, iso_code);
      matches.set(key, match);
      return { request, place: await match };
    }),
  );
};

const newRow = (
  userId: number,
  id: number,
  { request, place }: PlacedRequest,
  baseUrl: string,
  now: number,
): SerpRow => {
  const { unknown_fields, ...asked } = request;
  // Reading 15: an empty engine domain means the engine's default.
  const search = { ...asked, engine_domain: asked.engine_domain || engines[asked.engine].domain };
  // The engine gets the place in the spelling of the table. The task echoes it as given.
  const placed = { ...search, location_name: place?.name ?? '' };
  const warnings = warningsOf(request, place);
  return {
    kind: 'serp',
    version: rowVersion,
    user_id: userId,
    id,
    sharding: 0,
    status: 'awaiting',
    ...search,
    ...(warnings.length > 0 && { warnings }),
    snapshot_hash: searchHash(placed),
    html_folder: randomBytes(12).toString('base64url'),
    pages: plannedPages(placed),
    postback_retries_count: 0,
    retries_count: 0,
    created_on: new Date(now * 1000).toISOString().slice(0, 10),
    created_at: now,
    succeed_at: 0,
    ttl: now + lifetimeSeconds,
    error_message: null,
    crawled_at: 0,
    reused: false,
    complete: false,
    attempt: 0,
    lease_until: 0,
    trace: scope().trace,
    base_url: baseUrl,
    delivery: null,
    delivery_attempt: 0,
    unfinished: unfinishedPartition('task', id),
    due_at: Math.min(now + unclaimedSeconds, deadlineOf(now)),
  };
};

const withId = (row: SerpRow, id: number): SerpRow => ({
  ...row,
  id,
  unfinished: unfinishedPartition('task', id),
});

/** Where the webhook of a batch goes; null if it has none. */
export type BatchOptions = { postbackUrl: string | null };

/**
 * Gives a batch and its rows consecutive ids, and writes them. The batch is written last: if the process dies before, the rows that are
 * written still run, and the batch of which the client knows nothing has no webhook.
 */
const putWithBatch = async (
  rows: readonly SerpRow[],
  first: SerpRow,
  { postbackUrl }: BatchOptions,
  now: number,
): Promise<SerpRow[]> => {
  const [number = 0] = await reserveNumbers(first.user_id, rows.length + 1);
  const id = taskId(now, number);
  const ids = batchTaskIds(id, rows.length);
  const written = rows.map((row, n) => ({
    ...withId(row, ids[n] ?? 0),
    // Tasks of a batch without a webhook do not look for its end.
    ...(postbackUrl !== null && { batch_id: id }),
  }));
  await putRows(written);
  await putBatch(newBatch(first, { id, ids, postbackUrl }));
  return written;
};

/**
 * Gives each row its id (Reading 8) and writes it. A row that comes alone needs no counter, which saves a write. `batch`: the rows are a
 * batch, even if there is only one.
 */
const putWithIds = async (
  rows: readonly SerpRow[],
  batch: BatchOptions | null,
  now: number,
): Promise<SerpRow[]> => {
  const [first] = rows;
  if (!first) return [];
  if (batch || rows.length > 1) return putWithBatch(rows, first, batch ?? { postbackUrl: null }, now);
  return [await putNewRow((number) => withId(first, taskId(now, number)))];
};

/**
 * Accepts all tasks or none, and returns their rows, in the status `awaiting`. `show` makes the task of the response.
 * @throws HttpError 413 if the response would exceed 5 MB as Lambda counts it (Reading 28), or if a search is too long to be stored. Nothing is written then.
 */
const accept = async <Task>(
  user: Account,
  requests: readonly NewSearch[],
  baseUrl: string,
  show: (row: SerpRow) => Task,
  now: number,
  batch: BatchOptions | null,
): Promise<Task[]> => {
  // The sizes are measured with placeholder ids of full length, because only accepted tasks have a number.
  const placed = await withPlaces(requests);
  const rows = placed.map((request) => newRow(user.id, taskId(now, 0), request, baseUrl, now));
  if (payloadBytes(rows.map(show)) > maxBatchResponseBytes) {
    throw new HttpError(413, 'The answer to this batch would pass 5 MB: send fewer tasks at once');
  }
  if (rows.some((row) => Buffer.byteLength(JSON.stringify(row)) > maxRowBytes)) {
    throw new HttpError(413, 'A search with such long fields cannot be stored');
  }
  const written = await putWithIds(rows, batch, now);
  // If the process dies here, the sweeper queues the stored rows.
  await queueTasks(written);
  const ids = written.map(({ id }) => id);
  const idFields =
    ids.length === 1 ? { task_id: ids[0] } : { first_task_id: ids[0], last_task_id: ids.at(-1) };
  log.info('tasks accepted', { ...idFields, tasks: ids.length }, { TasksAccepted: ids.length });
  return written.map(show);
};

/**
 * Accepts all tasks of v2 or none, and returns them in the status `awaiting`.
 * @throws HttpError 413 if the response would exceed 5 MB as Lambda counts it (Reading 28), or if a search is too long to be stored. Nothing is written then.
 */
export const createTasks = (
  user: Account,
  requests: readonly GoogleCrawlRequest[],
  baseUrl: string,
  now = clock(),
  batch: BatchOptions | null = null,
): Promise<GoogleSerpTask[]> => {
  const searches = requests.map((request) => ({ ...request, engine: defaultEngine }));
  return accept(user, searches, baseUrl, (row) => taskOf(row, null), now, batch);
};

/** The pages of a task of v1 that tracks a domain. */
const trackedPages = 10;

/** Reading 5: v1 has no depth. It reads the first page, or ten pages if a domain is tracked. */
export const depthOf = (engine: EngineName, { domain }: Pick<CrawlRequest, 'domain'>): number =>
  engines[engine].resultsPerPage * (domain ? trackedPages : 1);

/** As `createTasks`, for tasks of v1. */
export const createSerpTasks = (
  user: Account,
  engine: EngineName,
  requests: readonly CrawlRequest[],
  baseUrl: string,
  now = clock(),
  batch: BatchOptions | null = null,
): Promise<SerpTask[]> => {
  const searches = requests.map((request) => ({
    ...request,
    engine,
    depth: depthOf(engine, request),
    api: 'v1' as const,
  }));
  return accept(user, searches, baseUrl, (row) => serpTaskOf(row, null), now, batch);
};
