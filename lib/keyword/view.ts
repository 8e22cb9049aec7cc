/** Tasks of keyword data as their owner sees them, and as their webhooks deliver them (Reading 33). */
import { HttpError } from '../model/http-error.ts';
import { hasData, ideaMetricOf } from '../model/keyword-metrics.ts';
import type { IdeasTask, KeywordDataTask, KeywordStatus } from '../model/keyword-task.ts';
import type { TaskStatus } from '../model/task-status.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { unpackMetrics } from '../store/packed-metrics.ts';
import { type IdeasResult, readIdeasResult } from '../store/results.ts';
import type { IdeasRow, KeywordRow } from '../store/task-row.ts';
import { readTaskRow } from '../store/tasks.ts';
import { progressOf } from '../task/progress.ts';
import { isFinal } from '../task/status.ts';
import { whenFinal } from '../task/wait.ts';

/**
 * Reading 3: these tasks never have the other states. A task that the source was asked for, and that waits
 * for it again, is shown as one that waits.
 */
const statusOf = (status: TaskStatus, waits: boolean): KeywordStatus => {
  const shown = status === 'crawling' || status === 'awaiting_webhook' ? 'parsing' : status;
  return shown === 'parsing' && waits ? 'awaiting' : shown;
};

const lifeOf = (row: KeywordRow | IdeasRow, now: number) => {
  const progress = progressOf(row, 'source', now);
  return {
    id: row.id,
    user_id: row.user_id,
    sharding: row.sharding,
    postback_retries_count: row.postback_retries_count,
    status: statusOf(row.status, progress.waiting_until !== null),
    postback_url: row.postback_url,
    created_at: row.created_at,
    succeed_at: row.succeed_at,
    ttl: row.ttl,
    created_on: row.created_on,
    crawled_at: row.crawled_at,
    warnings: row.warnings ?? [],
    complete: isFinal(row.status) ? row.status === 'success' : null,
    ...progress,
  };
};

/** The task of a keyword's volume at `now`. Its result is in its row. */
export const keywordTaskOf = (row: KeywordRow, now = clock()): KeywordDataTask => {
  const metrics = row.status === 'success' && row.metrics ? unpackMetrics(row.metrics) : undefined;
  return {
    ...lifeOf(row, now),
    key: row.key,
    loc_id: row.loc_id,
    result: metrics
      ? [{ text: row.key, keyword_idea_metrics: ideaMetricOf(metrics), has_data: hasData(metrics) }]
      : [],
    reused: row.reused,
  };
};

/** The task of keyword ideas at `now`. */
export const ideasTaskOf = (row: IdeasRow, result: IdeasResult | null, now = clock()): IdeasTask => ({
  ...lifeOf(row, now),
  keywords: row.keywords,
  location_code: row.location_code,
  language_code: row.language_code,
  page_url: row.page_url,
  include_seed_keyword: row.include_seed_keyword,
  reused: false,
  results: (result?.ideas ?? []).map(({ text, metrics, concepts }) => ({
    text,
    keyword_idea_metrics: ideaMetricOf(metrics),
    keyword_annotations: {
      concepts: concepts.map(({ name, group }) => ({ name, concept_grop: group })),
    },
    has_data: hasData(metrics),
  })),
  aggregate_metric_results: (result?.devices ?? []).map(({ device, searches }) => ({
    device,
    search_count: searches ?? 0,
  })),
});

const notFound = () => new HttpError(404, 'Task not found');

/**
 * Returns the user's task of a keyword's volume.
 * @throws HttpError 404 if the id is unknown, expired, another user's or of another kind, or if the task was
 * created on another day than `createdOn` (Reading 22; empty means any day).
 */
export const readKeywordTask = async (
  user: Account,
  id: number,
  createdOn: string,
): Promise<KeywordDataTask> => {
  const row = await readTaskRow(user.id, id);
  if (row?.kind !== 'keyword' || (createdOn !== '' && row.created_on !== createdOn)) throw notFound();
  return keywordTaskOf(row);
};

/** As `readKeywordTask`, for a task of keyword ideas: when it is final, or as it is after `wait` seconds. */
export const readIdeasTask = async (user: Account, id: number, wait = 0): Promise<IdeasTask> => {
  const read = await readTaskRow(user.id, id);
  const row = read?.kind === 'ideas' ? await whenFinal(read, wait) : undefined;
  if (!row) throw notFound();
  return ideasTaskOf(row, await readIdeasResult(row));
};
