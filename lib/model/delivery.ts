/** The webhook payloads of tasks, batches and alerts. */
import * as v from 'valibot';
import { AlertPayload } from './alert.ts';
import { Batch } from './batch.ts';
import { Device } from './crawl-request.ts';
import { IdeasTask, KeywordDataTask } from './keyword-task.ts';
import { RawResult, TrackingResult } from './result.ts';
import { Seconds } from './scalar.ts';
import { V1Task } from './v1-task.ts';

const WebItem = v.object({
  /** Counts from 1 within the type of the item. */
  position: v.number(),
  title: v.string(),
  url: v.string(),
  /** The target's host without `www.`; empty if unknown. */
  domain: v.string(),
  description: v.string(),
});

const Place = v.object({
  position: v.number(),
  title: v.string(),
  address: v.string(),
  /** Rating and number of reviews as the page shows them; empty if it shows none. */
  rating: v.string(),
  reviews: v.string(),
});

const FeaturedSnippet = v.object({
  title: v.string(),
  url: v.string(),
  domain: v.string(),
  description: v.string(),
});

/** The payload of a v2 task: the fields of the specification, and those that Readings 4 and 33 add. */
export const V2Payload = v.object({
  id: v.number(),
  status: v.picklist(['success', 'error']),
  keyword: v.string(),
  location_name: v.string(),
  iso_code: v.string(),
  device: Device,
  depth: v.number(),
  language_code: v.string(),
  created_at: Seconds,
  succeed_at: Seconds,
  /** Null on `error`. */
  result: v.nullable(
    v.object({
      organic: v.array(WebItem),
      ads: v.array(WebItem),
      local_pack: v.array(Place),
      featured_snippet: v.nullable(FeaturedSnippet),
      total_results: v.string(),
      /** Seconds; 0 if the page does not show it. */
      search_time: v.number(),
      /** Only if `postback_fields` of the request names them: the columns of the polled result. */
      left: v.optional(RawResult.entries.left),
      right: v.optional(RawResult.entries.right),
    }),
  ),
  /** The domain tracking result; null if no domain is tracked, and on `error`. */
  tracking: v.nullable(TrackingResult),
  top_domains: v.array(v.string()),
  /** Empty if no page is stored. */
  html_url: v.string(),
  post_id: v.nullable(v.string()),
  keyword_id: v.nullable(v.number()),
  domain: v.nullable(v.string()),
  error_message: v.nullable(v.string()),
  crawled_at: v.number(),
  reused: v.boolean(),
  complete: v.boolean(),
  /** Absent in copies that were parked before the field existed. */
  warnings: v.optional(v.array(v.string()), []),
});
export type V2Payload = v.InferOutput<typeof V2Payload>;

/**
 * The payload of any webhook. Except for v2 searches, that of a task is the task itself (Reading 33), and that of a batch the batch
 * (Reading 46). An alert has the changes of a project. No payload has the required fields of another.
 */
export const Payload = v.union([V2Payload, V1Task, IdeasTask, KeywordDataTask, Batch, AlertPayload]);
export type Payload = v.InferOutput<typeof Payload>;
