/** The v1 task, as the API returns it and as its webhook delivers it (Reading 33). */
import * as v from 'valibot';
import { anyEntries } from './crawl-request.ts';
import { component, described, describedAs } from './described.ts';
import { listQuery } from './list-query.ts';
import { exampleResult } from './result.ts';
import { Count, choice, Int, Seconds } from './scalar.ts';
import { addedTaskFields, exampleAddress, taskFields } from './task-fields.ts';
import { TaskStatus } from './task-status.ts';
import { aboutResult, TaskResult } from './tracking-result.ts';

export const V1Task = component(
  'SerpTask',
  'A task of version 1, with its result after success',
  v.object({
    id: taskFields.id,
    user_id: taskFields.user_id,
    priority: taskFields.priority,
    upstream_id: described(
      v.optional(v.nullable(v.string()), null),
      'The id of the search at an upstream data provider. Null: the service fetched the pages itself',
      null,
    ),
    sharding: taskFields.sharding,
    retries_count: taskFields.retries_count,
    postback_retries_count: taskFields.postback_retries_count,
    keyword: taskFields.keyword,
    domain: taskFields.domain,
    business_name: taskFields.business_name,
    competitors: taskFields.competitors,
    engine_domain: describedAs(v.string(), anyEntries.engine_domain),
    location_name: taskFields.location_name,
    iso_code: taskFields.iso_code,
    device: taskFields.device,
    language_code: taskFields.language_code,
    postback_url: describedAs(v.nullable(v.string()), anyEntries.postback_url),
    engine_check_url: described(
      v.string(),
      'An address at which a person can see the same search',
      exampleAddress(0),
    ),
    /** Reading 12. */
    snapshot_hash: described(
      v.optional(v.string(), ''),
      'The identity of the search: the same for all tasks that the same pages can answer. A SHA-256 in hex',
      '4c0b3a5ac3c94bd1a5b2a9d0f9b8a9f6a7d5d7c3c1f0f2b7c9d5e1a3b6f8d2e4',
    ),
    post_id: describedAs(v.nullable(v.string()), anyEntries.post_id),
    keyword_id: taskFields.keyword_id,
    frequency: taskFields.frequency,
    user_agent: described(
      v.optional(v.nullable(v.string()), null),
      'The `User-Agent` with which the pages were fetched. Null before',
      'Mozilla/5.0 (X11; Linux x86_64) …',
    ),
    /** Under `html/`. */
    html_key: described(
      v.optional(v.nullable(v.string()), null),
      'The storage key of the HTML of the first page. Null until it is stored',
      'html/3Rk0c8Yw2sV5xQbT/1-1.html.gz',
    ),
    /** Reading 11: an empty object until the task has succeeded. */
    result: described(TaskResult, aboutResult, exampleResult),
    top_10: taskFields.top_10,
    status: taskFields.status,
    created_on: taskFields.created_on,
    created_at: taskFields.created_at,
    succeed_at: describedAs(Seconds, taskFields.succeed_at),
    ttl: taskFields.ttl,
    ...addedTaskFields,
  }),
);
export type V1Task = v.InferOutput<typeof V1Task>;

export const CrawlHTML = component(
  'CrawlHTML',
  'The stored HTML of a result page',
  v.object({
    html: described(
      v.string(),
      'The HTML of the page as it was fetched. It is untrusted: do not render it on your own origin',
      '<!doctype html>…',
    ),
  }),
);
export type CrawlHTML = v.InferOutput<typeof CrawlHTML>;

/** The page of a task whose HTML is read. A task without such a page is 404. */
export const PageQuery = v.object({
  page: described(v.optional(Int, 1), 'The number of the page, from 1', 1),
});

/** The list envelope of the specification. */
export const V1TaskList = component(
  'ListSerpTask',
  'A page of the list of tasks of version 1',
  v.object({
    num_items: described(Count, 'The number of tasks in `items`', 1),
    items: described(v.array(V1Task), 'The tasks, newest first', []),
    cursor: described(
      v.nullable(v.string()),
      'Send it as `cursor` to get the next page; null at the end of the list',
      null,
    ),
  }),
);
export type V1TaskList = v.InferOutput<typeof V1TaskList>;

export const ListQuery = v.object({
  status: described(
    v.optional(choice(TaskStatus.options), 'success'),
    'Only tasks in this status are listed. `TaskStatus` explains the words',
    'success',
  ),
  ...listQuery,
});
export type ListQuery = v.InferOutput<typeof ListQuery>;
