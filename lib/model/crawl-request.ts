/** The bodies of crawl requests, as the specification defines them. */
import * as v from 'valibot';
import { defaultEngine, engines, isEngineDomain } from './engine.ts';
import { maxBatchTasks, maxCompetitors, maxKeywordLength } from './request-limits.ts';
import { choice, fields, Int, intBetween, list, Text } from './scalar.ts';

export const Device = choice(['mobile', 'desktop']);
export type Device = v.InferOutput<typeof Device>;

export const Competitor = fields({
  keyword_id: v.nullable(Int),
  competitor: Text,
  type: Text,
});
export type Competitor = v.InferOutput<typeof Competitor>;

/** Reading 28: two letters in either case, echoed as given. */
const IsoCode = v.pipe(Text, v.regex(/^[A-Za-z]{2}$/));

/** The fields that v1 and v2 share, with v1's defaults. */
export const CrawlRequest = fields({
  keyword: v.pipe(Text, v.minLength(1), v.maxCodePoints(maxKeywordLength)),
  location_name: Text,
  iso_code: IsoCode,
  domain: v.optional(v.nullable(Text), null),
  business_name: v.optional(v.nullable(Text), null),
  competitors: v.optional(v.nullable(list(Competitor, maxCompetitors)), null),
  frequency: v.optional(v.nullable(Int), 24),
  device: v.optional(Device, 'desktop'),
  se_id: v.optional(Int, 0),
  engine_domain: v.optional(Text, ''),
  language_code: v.optional(Text, ''),
  postback_url: v.optional(v.nullable(Text), null),
  post_id: v.optional(v.nullable(Text), ''),
  keyword_id: v.optional(v.nullable(Int), null),
  /** Reading 15: null is recorded as 1. */
  priority: v.optional(
    v.pipe(
      v.nullable(Int),
      v.transform((priority) => priority ?? 1),
    ),
    1,
  ),
});
export type CrawlRequest = v.InferOutput<typeof CrawlRequest>;

export const GoogleCrawlRequest = fields({
  ...CrawlRequest.entries,
  engine_domain: v.optional(
    v.pipe(
      Text,
      v.check(
        (domain) => isEngineDomain(defaultEngine, domain),
        `value_error: Value error, not a domain of ${engines[defaultEngine].title}`,
      ),
    ),
    engines[defaultEngine].domain,
  ),
  depth: v.optional(intBetween(1, 100), 10),
});
export type GoogleCrawlRequest = v.InferOutput<typeof GoogleCrawlRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const GoogleCrawlBatch = list(GoogleCrawlRequest, maxBatchTasks);
