/** What travels on queues and between states: ids and keys, never HTML (it would pass the limits, and cost). */
import * as v from 'valibot';
import { defaultEngine, EngineName } from './engine.ts';
import { Verdict } from './result.ts';

/** A task's key in the table, and the input of the crawl machine. */
export const TaskKey = v.object({ user_id: v.number(), id: v.number() });
export type TaskKey = v.InferOutput<typeof TaskKey>;

/** What a message carries so that the whole task is one trace. The body has it, because not every queue knows AWS's attribute for it. */
const Traced = { trace: v.optional(v.string()) };

/** Body of a crawl message: the task, and what asking the engine for it takes. */
export const CrawlMessage = v.object({
  ...TaskKey.entries,
  ...Traced,
  engine: v.optional(EngineName, defaultEngine),
  /** Planned pages: as many turns at the engine does the run need. */
  pages: v.optional(v.number(), 1),
  /** Unix time before which the task is not to be run; it stands in line until then. */
  not_before: v.optional(v.number()),
  /** Runs in a row that the engine put off. */
  throttled: v.optional(v.number(), 0),
});
export type CrawlMessage = v.InferOutput<typeof CrawlMessage>;

/**
 * What one attempt at a page came to. `blocked`: another route may help; `throttled`: later, and not the page's fault;
 * `failed`: nothing usable came back.
 */
export const Outcome = v.picklist(['fetched', 'blocked', 'throttled', 'failed']);
export type Outcome = v.InferOutput<typeof Outcome>;

/** One page of one attempt at a task. */
export const PageKey = v.object({ ...TaskKey.entries, attempt: v.number(), page: v.number() });
export type PageKey = v.InferOutput<typeof PageKey>;

export const FetchedPage = v.object({
  page: v.number(),
  outcome: Outcome,
  /** Null where no page came back to be judged. */
  verdict: v.nullable(Verdict),
  /** Key of the stored HTML; empty where nothing was stored. */
  html: v.string(),
  /** Fetches made; a page's `retry_count` is one less. */
  fetches: v.number(),
  has_next: v.boolean(),
  /** Hidden links in its items that are to be looked up; absent or 0 where there are none. */
  hidden: v.optional(v.number()),
  /** Whether targets of its hidden links are stored; absent where none was found. */
  links: v.optional(v.boolean()),
  fetched_at: v.number(),
  /** For `error_message`: a stable word, a colon, a sentence. Empty where all went well. */
  reason: v.string(),
});
export type FetchedPage = v.InferOutput<typeof FetchedPage>;

/** What a rung answers for a page, and the next rung is given. */
export const AnsweredPage = v.object({ ...PageKey.entries, ...FetchedPage.entries });
export type AnsweredPage = v.InferOutput<typeof AnsweredPage>;

/** What the crawl machine hands to ParseTask: its run, the first page where others followed it, and the last batch. */
export const CrawledTask = v.object({
  ...TaskKey.entries,
  attempt: v.number(),
  first: v.optional(v.array(FetchedPage), []),
  crawled: v.optional(v.array(FetchedPage), []),
});
export type CrawledTask = v.InferOutput<typeof CrawledTask>;

/** Input of the `postback` machine: which attempt at a delivery is to be made next (1 to 5). */
export const DeliveryKey = v.object({ ...TaskKey.entries, delivery: v.string(), attempt: v.number() });
export type DeliveryKey = v.InferOutput<typeof DeliveryKey>;

/** Body of a postback message; `patient` in the queue of those whose user has no place left among the prompt. */
export const PostbackMessage = v.object({
  ...DeliveryKey.entries,
  ...Traced,
  patient: v.optional(v.boolean(), false),
});
export type PostbackMessage = v.InferOutput<typeof PostbackMessage>;
