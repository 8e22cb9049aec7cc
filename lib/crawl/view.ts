/** A task as its owner sees it. */
import { pageLink } from '../access/page-link.ts';
import type { Batch, BatchCounts } from '../model/batch.ts';
import { HttpError } from '../model/http-error.ts';
import { maxTaskBytes, payloadBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { clock } from '../runtime/clock.ts';
import { readResult, type StoredResult } from '../store/results.ts';
import type { BatchRow, SerpRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';
import { progressOf } from '../task/progress.ts';
import { isFinal } from '../task/status.ts';
import { whenFinal } from '../task/wait.ts';

/** What is known of the end of a task at `now`. `complete`: null before its end. */
const endOf = (row: SerpRow, now: number) => ({
  ...progressOf(row, 'engine', now),
  complete: isFinal(row.status) ? row.complete : null,
});

/** Makes the link to a stored page from its storage key. Without it, a task has no links. */
type LinkTo = (html: string) => string;

/** The task of v2 at `now`, made of a row and its result. Internal fields are left out. */
export const v2TaskOf = (
  row: SerpRow,
  stored: StoredResult | null,
  now = clock(),
  linkTo: LinkTo = () => '',
): V2Task => ({
  id: row.id,
  user_id: row.user_id,
  sharding: row.sharding,
  status: row.status,
  keyword: row.keyword,
  location_name: row.location_name,
  iso_code: row.iso_code,
  language_code: row.language_code,
  domain: row.domain,
  business_name: row.business_name,
  competitors: row.competitors,
  engine_domain: row.engine_domain,
  device: row.device,
  postback_url: row.postback_url,
  post_id: row.post_id,
  keyword_id: row.keyword_id,
  priority: row.priority,
  frequency: row.frequency,
  se_id: row.se_id,
  depth: row.depth,
  safe: row.safe,
  nfpr: row.nfpr,
  filter: row.filter,
  lr: row.lr,
  cr: row.cr,
  tbs: row.tbs,
  udm: row.udm,
  coordinates: row.coordinates,
  pages: row.pages.map((page) => ({
    ...page,
    results: stored?.pages[page.page] ?? null,
    html_url: linkTo(page.html),
  })),
  result: stored && (stored.tracking ?? stored.result),
  top_10: row.top_10 ?? stored?.top_10 ?? null,
  postback_retries_count: row.postback_retries_count,
  retries_count: row.retries_count,
  created_on: row.created_on,
  created_at: row.created_at,
  succeed_at: row.succeed_at,
  ttl: row.ttl,
  crawled_at: row.crawled_at,
  reused: row.reused,
  warnings: row.warnings ?? [],
  total_results: stored?.total_results ?? '',
  search_time: stored?.search_time ?? 0,
  html_url: linkTo(row.pages[0]?.html ?? ''),
  postback_fields: row.postback_fields ?? null,
  stop_on_match: row.stop_on_match ?? false,
  ...endOf(row, now),
});

/** As `v2TaskOf`, for a task of v1. */
export const v1TaskOf = (row: SerpRow, stored: StoredResult | null, now = clock()): V1Task => ({
  id: row.id,
  user_id: row.user_id,
  priority: row.priority,
  upstream_id: row.upstream_id ?? null,
  sharding: row.sharding,
  retries_count: row.retries_count,
  postback_retries_count: row.postback_retries_count,
  keyword: row.keyword,
  domain: row.domain,
  business_name: row.business_name,
  competitors: row.competitors,
  engine_domain: row.engine_domain,
  location_name: row.location_name,
  iso_code: row.iso_code,
  device: row.device,
  language_code: row.language_code,
  postback_url: row.postback_url,
  engine_check_url: row.pages[0]?.url ?? '',
  snapshot_hash: row.snapshot_hash,
  post_id: row.post_id,
  keyword_id: row.keyword_id,
  frequency: row.frequency,
  user_agent: row.user_agent ?? null,
  html_key: row.pages[0]?.html || null,
  result: stored ? (stored.tracking ?? stored.result) : {},
  top_10: stored?.top_10 ?? null,
  status: row.status,
  created_on: row.created_on,
  created_at: row.created_at,
  succeed_at: row.succeed_at,
  ttl: row.ttl,
  crawled_at: row.crawled_at,
  reused: row.reused,
  warnings: row.warnings ?? [],
  ...endOf(row, now),
});

/** A batch, with the numbers of its tasks by status. */
export const batchOf = (row: BatchRow, counts: BatchCounts): Batch => {
  const { awaiting, crawling, awaiting_webhook, parsing } = counts;
  const isFinished = awaiting + crawling + awaiting_webhook + parsing === 0;
  return {
    id: row.id,
    user_id: row.user_id,
    status: isFinished ? 'finished' : 'running',
    total: row.tasks,
    counts,
    created_at: row.created_at,
    ttl: row.ttl,
    results_url: isFinished ? `${row.base_url}/api/v2/serp/batches/${row.id}/results` : null,
    postback_url: row.postback_url,
    postback_retries_count: row.postback_retries_count,
  };
};

/** The row of the user's task, and its result if there is one, when it is final or after `wait` seconds. Throws as `readV2Task`. */
const find = async (user: Account, id: number, api: SerpRow['api'], wait = 0) => {
  const read = await readRow(user.id, id);
  const row = read?.api === api && read ? await whenFinal(read, wait) : undefined;
  if (!row) throw new HttpError(404, 'Task not found');
  return { row, stored: await readResult(row) };
};

/**
 * Returns a task if it fits in a response of Lambda. Real pages give 1 MB at most. Ten pages of the largest accepted size, 5 MB, could give
 * 100 MB: a task of v2 has each result twice.
 */
const fitting = <Task>(task: Task, advice: string): Task => {
  if (payloadBytes(task) > maxTaskBytes) {
    throw new HttpError(413, `The result of this task is larger than 6 MB: ${advice}`);
  }
  return task;
};

/**
 * Returns the user's task of v2, with its result if there is one, when it is final or after `wait` seconds.
 * @throws HttpError 404 if the id is unknown, expired, another user's or of v1 (Readings 10 and 13); 413 if the task does not fit in a
 * response of Lambda.
 */
export const readV2Task = async (
  user: Account,
  id: number,
  wait?: number,
  fields: ReadonlySet<string> | null = null,
): Promise<V2Task> => {
  const { row, stored } = await find(user, id, undefined, wait);
  const now = clock();
  const task = v2TaskOf(row, stored, now, (html) => pageLink(row.base_url, html, user, row.ttl));
  return fitting(
    fields ? withoutRepeated(task, fields) : task,
    'search with a smaller depth, or receive it by webhook',
  );
};

/** The fields of a task that a request has named. The results of its pages are left out where `result` has them already. */
const withoutRepeated = (task: V2Task, fields: ReadonlySet<string>): V2Task => {
  const hasResult = fields.has('result') && !task.domain;
  return {
    ...task,
    result: fields.has('result') ? task.result : null,
    pages: fields.has('pages')
      ? task.pages.map((page) => (hasResult ? { ...page, results: null } : page))
      : [],
  };
};

/** As `readV2Task`, for a task of v1. */
export const readV1Task = async (user: Account, id: number, wait?: number): Promise<V1Task> => {
  const { row, stored } = await find(user, id, 'v1', wait);
  return fitting(v1TaskOf(row, stored), 'receive it by webhook');
};
