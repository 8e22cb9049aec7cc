/** What a webhook carries for a v2 SERP task: the specification's payload, with the fields of Readings 4 and 33 beside it. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { TrackingResult } from './result.ts';
import { Seconds } from './scalar.ts';

const WebItem = v.object({
  /** From 1 within its kind. */
  position: v.number(),
  title: v.string(),
  url: v.string(),
  /** The target's host without `www.`; empty where unknown. */
  domain: v.string(),
  description: v.string(),
});

const Place = v.object({
  position: v.number(),
  title: v.string(),
  address: v.string(),
  /** As the page shows them; empty where it does not. */
  rating: v.string(),
  reviews: v.string(),
});

const FeaturedSnippet = v.object({
  title: v.string(),
  url: v.string(),
  domain: v.string(),
  description: v.string(),
});

export const SerpPayload = v.object({
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
      /** Seconds; 0 where the page does not say. */
      search_time: v.number(),
    }),
  ),
  /** The domain tracking shape; null where no domain is tracked, and on `error`. */
  tracking: v.nullable(TrackingResult),
  top_domains: v.array(v.string()),
  /** Empty where no page is stored. */
  html_url: v.string(),
  post_id: v.nullable(v.string()),
  keyword_id: v.nullable(v.number()),
  domain: v.nullable(v.string()),
  error_message: v.nullable(v.string()),
  crawled_at: v.number(),
  reused: v.boolean(),
  complete: v.boolean(),
});
export type SerpPayload = v.InferOutput<typeof SerpPayload>;
