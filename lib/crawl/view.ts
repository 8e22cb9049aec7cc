/** Tasks and batches as their owner sees them. Pure. */
import type { Batch, BatchCounts } from '../model/batch.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { clock } from '../runtime/clock.ts';
import type { StoredResult } from '../store/results.ts';
import { type BatchRow, type SerpRow, warningsIn } from '../store/task-row.ts';
import { progressOf } from '../task/progress.ts';
import { isFinal } from '../task/status.ts';

/** What is known of the end of a task at `now`. `complete`: null before its end. */
const endOf = (row: SerpRow, now: number) => ({
  ...progressOf(row, 'engine', now),
  complete: isFinal(row.status) ? row.complete : null,
});

/** Makes the link to a stored page from its storage key. Without it, a task has no links. */
type LinkTo = (html: string) => string;

/** The fields that a task of v1 and of v2 have from the row. */
const sameInBoth = (row: SerpRow, now: number) => ({
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
  postback_retries_count: row.postback_retries_count,
  retries_count: row.retries_count,
  created_on: row.created_on,
  created_at: row.created_at,
  succeed_at: row.succeed_at,
  ttl: row.ttl,
  crawled_at: row.crawled_at,
  reused: row.reused,
  warnings: warningsIn(row),
  ...endOf(row, now),
});

/** The task of v2 at `now`, made of a row and its result. Internal fields are left out. */
export const v2TaskOf = (
  row: SerpRow,
  stored: StoredResult | null,
  now = clock(),
  linkTo: LinkTo = () => '',
): V2Task => ({
  ...sameInBoth(row, now),
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
    unread_blocks: stored?.unread_blocks?.[page.page] ?? [],
    html_url: linkTo(page.html),
  })),
  result: stored && (stored.tracking ?? stored.result),
  top_10: row.top_10 ?? stored?.top_10 ?? null,
  total_results: stored?.total_results ?? '',
  search_time: stored?.search_time ?? 0,
  html_url: linkTo(row.pages[0]?.html ?? ''),
  postback_fields: row.postback_fields ?? null,
  stop_on_match: row.stop_on_match ?? false,
});

/** As `v2TaskOf`, for a task of v1. */
export const v1TaskOf = (row: SerpRow, stored: StoredResult | null, now = clock()): V1Task => ({
  ...sameInBoth(row, now),
  upstream_id: row.upstream_id ?? null,
  engine_check_url: row.pages[0]?.url ?? '',
  snapshot_hash: row.snapshot_hash,
  user_agent: row.user_agent ?? null,
  html_key: row.pages[0]?.html || null,
  result: stored ? (stored.tracking ?? stored.result) : {},
  top_10: stored?.top_10 ?? null,
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
