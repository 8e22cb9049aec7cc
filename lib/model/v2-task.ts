/** The v2 task, as the API returns it. */
import * as v from 'valibot';
import { Competitor, Device, postbackFields } from './crawl-request.ts';
import { defaultEngine, engines } from './engine.ts';
import { RawResult, TrackingResult } from './result.ts';
import { Count, intBetween, Seconds } from './scalar.ts';
import { searchOptions } from './search-options.ts';
import { PageStatus, TaskStatus } from './task-status.ts';

/** Sentences about what a request contains without effect. */
export const Warnings = v.pipe(
  v.array(v.string()),
  v.description('What was accepted without effect, one sentence each. Empty if there is nothing to say'),
);

export const V2TaskPage = v.object({
  page: Count,
  url: v.string(),
  status: v.optional(PageStatus, 'awaiting'),
  retry_count: v.optional(Count, 0),
  /** Key of the stored HTML under `html/`; empty until the page is stored. */
  html: v.optional(v.string(), ''),
  results: v.optional(v.nullable(RawResult), null),
  html_url: v.pipe(
    v.optional(v.string(), ''),
    v.description('Opens the stored HTML without a key, for 24 hours; empty until the page is stored'),
  ),
});
export type V2TaskPage = v.InferOutput<typeof V2TaskPage>;

export const V2Task = v.object({
  id: Count,
  user_id: Count,
  sharding: v.optional(Count, 0),
  status: v.optional(TaskStatus, 'awaiting'),
  keyword: v.string(),
  location_name: v.string(),
  iso_code: v.string(),
  language_code: v.string(),
  domain: v.optional(v.nullable(v.string()), null),
  business_name: v.optional(v.nullable(v.string()), null),
  competitors: v.optional(v.nullable(v.array(Competitor)), null),
  engine_domain: v.optional(v.string(), engines[defaultEngine].domain),
  device: v.optional(Device, 'desktop'),
  postback_url: v.optional(v.nullable(v.string()), null),
  post_id: v.optional(v.nullable(v.string()), null),
  keyword_id: v.optional(v.nullable(Count), null),
  priority: v.optional(Count, 1),
  frequency: v.optional(v.nullable(Count), 24),
  se_id: v.optional(Count, 0),
  depth: v.optional(v.pipe(Count, v.minValue(1), v.maxValue(100)), 10),
  ...searchOptions,
  pages: v.optional(v.array(V2TaskPage), []),
  result: v.optional(v.nullable(v.union([RawResult, TrackingResult])), null),
  top_10: v.optional(v.nullable(v.array(v.string())), null),
  postback_retries_count: v.optional(Count, 0),
  retries_count: v.optional(Count, 0),
  created_on: v.string(),
  created_at: Seconds,
  succeed_at: v.optional(Seconds, 0),
  ttl: Seconds,
  // Reading 4: additional to the specified fields.
  error_message: v.optional(v.nullable(v.string()), null),
  crawled_at: v.optional(Seconds, 0),
  reused: v.optional(v.boolean(), false),
  /** Null until the task is final. False if there is no result, or if it is not based on all pages. */
  complete: v.optional(v.nullable(v.boolean()), null),
  /** Unix time until which the task waits for its engine; null if it does not wait. */
  waiting_until: v.optional(v.nullable(Seconds), null),
  /** What the request contains without effect: a sentence for each. */
  warnings: v.optional(Warnings, []),
  total_results: v.pipe(
    v.optional(v.string(), ''),
    v.description(
      'The number of results as the first page shows it; empty before success, or if the page shows none',
    ),
  ),
  search_time: v.pipe(
    v.optional(v.number(), 0),
    v.description(
      'Seconds that the engine needed, as the first page shows them; 0 before success, or if the page shows none',
    ),
  ),
  html_url: v.pipe(
    v.optional(v.string(), ''),
    v.description(
      'Opens the stored HTML of the first page without a key, for 24 hours; empty until it is stored',
    ),
  ),
  postback_fields: v.pipe(
    v.optional(v.nullable(v.array(v.picklist(postbackFields))), null),
    v.description('The parts of the result that the webhook has in addition, as in the request'),
  ),
  stop_on_match: v.pipe(
    v.optional(v.boolean(), false),
    v.description('Whether the crawl ends after the page on which `domain` is found, as in the request'),
  ),
});
export type V2Task = v.InferOutput<typeof V2Task>;

/** Reading 45. */
export const WaitQuery = v.object({
  wait: v.pipe(
    v.optional(intBetween(1, 25)),
    v.description(
      'Seconds to wait for the end of the task. The response is sent when the task is final, or at the end of the wait with the task as it is',
    ),
  ),
});
