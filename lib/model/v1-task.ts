/** The v1 task, as the API returns it and as its webhook delivers it (Reading 33). */
import * as v from 'valibot';
import { Competitor, Device } from './crawl-request.ts';
import { RawResult, TrackingResult } from './result.ts';
import { Count, choice, Int, Seconds, Text } from './scalar.ts';
import { TaskStatus } from './task-status.ts';
import { Warnings } from './v2-task.ts';

export const V1Task = v.object({
  id: Count,
  user_id: Count,
  priority: v.optional(Count, 1),
  /** The id of the search at an upstream provider; null if none has accepted it. */
  upstream_id: v.optional(v.nullable(v.string()), null),
  sharding: v.optional(Count, 0),
  retries_count: v.optional(Count, 0),
  /** Delivery attempts after the first one. */
  postback_retries_count: v.optional(Count, 0),
  keyword: v.string(),
  domain: v.optional(v.nullable(v.string()), null),
  business_name: v.optional(v.nullable(v.string()), null),
  competitors: v.optional(v.nullable(v.array(Competitor)), null),
  engine_domain: v.string(),
  location_name: v.string(),
  iso_code: v.string(),
  device: v.optional(Device, 'desktop'),
  language_code: v.string(),
  postback_url: v.nullable(v.string()),
  /** Opens the same search in a browser. */
  engine_check_url: v.string(),
  /** The same for all tasks with the same search (Reading 12). */
  snapshot_hash: v.optional(v.string(), ''),
  post_id: v.nullable(v.string()),
  keyword_id: v.optional(v.nullable(Count), null),
  frequency: v.optional(v.nullable(Count), 24),
  /** The `User-Agent` with which the pages were fetched; null before. */
  user_agent: v.optional(v.nullable(v.string()), null),
  /** Key of the stored HTML of the first page under `html/`; null until it is stored. */
  html_key: v.optional(v.nullable(v.string()), null),
  /** Reading 11: an empty object until the task has succeeded. */
  result: v.union([RawResult, TrackingResult]),
  top_10: v.optional(v.nullable(v.array(v.string())), null),
  status: v.optional(TaskStatus, 'awaiting'),
  created_on: v.string(),
  created_at: Seconds,
  succeed_at: Seconds,
  ttl: Seconds,
  // Reading 4: additional to the specified fields.
  error_message: v.optional(v.nullable(v.string()), null),
  crawled_at: v.optional(Seconds, 0),
  reused: v.optional(v.boolean(), false),
  /** Null until the task is final. False if there is no result, or if it is not based on all pages. */
  complete: v.optional(v.nullable(v.boolean()), null),
  /** Unix time until which the task waits for its engine; null if it does not wait. */
  waiting_until: v.optional(v.nullable(Seconds), null),
  warnings: v.optional(Warnings, []),
});
export type V1Task = v.InferOutput<typeof V1Task>;

export const CrawlHTML = v.object({
  /** The stored HTML of the crawled page. */
  html: v.string(),
});
export type CrawlHTML = v.InferOutput<typeof CrawlHTML>;

/** The page of a task whose HTML is read. A task without such a page is 404. */
export const PageQuery = v.object({ page: v.optional(Int, 1) });

/** The list envelope of the specification. */
export const V1TaskList = v.object({
  num_items: v.pipe(Count, v.description('The number of tasks in `items`')),
  items: v.pipe(v.array(V1Task), v.description('The tasks, newest first')),
  cursor: v.pipe(
    v.nullable(v.string()),
    v.description('Send it as `cursor` to get the next page; null at the end of the list'),
  ),
});
export type V1TaskList = v.InferOutput<typeof V1TaskList>;

export const ListQuery = v.object({
  status: v.pipe(
    v.optional(choice(TaskStatus.options), 'success'),
    v.description('Only tasks in this status are listed. `TaskStatus` explains the words'),
  ),
  cursor: v.pipe(
    v.optional(Text, ''),
    v.description('The `cursor` of the previous page; empty for the first page'),
  ),
});
export type ListQuery = v.InferOutput<typeof ListQuery>;
