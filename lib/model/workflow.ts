/**
 * Messages on queues and input of workflow states: ids and keys, never HTML, which would exceed their size
 * limits and cost more.
 */
import * as v from 'valibot';
import { defaultEngine, EngineName } from './engine.ts';
import { FetcherName } from './fetchers.ts';
import { Verdict } from './parsed-page.ts';

/** A task's key in the table. */
export const TaskKey = v.object({ user_id: v.number(), id: v.number() });
export type TaskKey = v.InferOutput<typeof TaskKey>;

/**
 * Links the message to the trace of its task. In the body, because not every queue supports AWS's message
 * attribute for traces.
 */
const Traced = { trace: v.optional(v.string()) };

/** Body of a crawl message: the task, and what the rate limit of its engine depends on. */
export const CrawlMessage = v.object({
  ...TaskKey.entries,
  ...Traced,
  engine: v.optional(EngineName, defaultEngine),
  /** Number of planned pages. The run needs one turn at the engine for each of them. */
  pages: v.optional(v.number(), 1),
  /** Unix time before which the task must not run. Absent if the task was not postponed. */
  not_before: v.optional(v.number()),
  /** Unix time of the turn that the run has at its engine. Absent if it must request one. */
  turn: v.optional(v.number()),
  /** Number of consecutive runs that the engine throttled. */
  throttled: v.optional(v.number(), 0),
  /** Number of times that the task was postponed because an AWS service refused a call. Absent means 0. */
  refused: v.optional(v.number()),
  /** The run that ended when a call was refused, and whose lease is to be given up. */
  ended: v.optional(v.number()),
  /**
   * Number of claims whose run Step Functions refused to start. They do not count in the task's
   * `retries_count`. Absent means 0.
   */
  unstarted: v.optional(v.number()),
});
export type CrawlMessage = v.InferOutput<typeof CrawlMessage>;

/**
 * Body of a keyword message: the tasks of up to a hundred keywords of a user and a place, or one task of
 * keyword ideas.
 */
export const KeywordMessage = v.object({
  /** The first task. */
  ...TaskKey.entries,
  ...Traced,
  kind: v.picklist(['keyword', 'ideas']),
  /** The ids of the other tasks. */
  more: v.optional(v.array(v.number()), []),
  /** The location code of the keywords; null means the whole world. */
  place: v.optional(v.nullable(v.number()), null),
  /** Unix time before which the tasks must not run. Absent if they were not postponed. */
  not_before: v.optional(v.number()),
  /** Number of consecutive calls that the source refused because too many were made. */
  throttled: v.optional(v.number(), 0),
  /** Number of times that the tasks were postponed because an AWS service refused a call. */
  refused: v.optional(v.number(), 0),
});
export type KeywordMessage = v.InferOutput<typeof KeywordMessage>;

/**
 * The outcome of one attempt at a page. `blocked`: another fetcher may help. `throttled`: retry later, it is
 * not the page's fault. `failed`: no usable response arrived. `refused`: an AWS service refused a call, retry
 * the task later. `upstream`: the provider is the next fetcher, and gets the whole search.
 */
export const Outcome = v.picklist(['fetched', 'blocked', 'throttled', 'failed', 'refused', 'upstream']);
export type Outcome = v.InferOutput<typeof Outcome>;

/** The key of one page in one attempt at a task. */
export const PageKey = v.object({ ...TaskKey.entries, attempt: v.number(), page: v.number() });
export type PageKey = v.InferOutput<typeof PageKey>;

/** Input of FetchPages: pages of one run that are fetched at a time. */
export const PageBatch = v.object({
  ...TaskKey.entries,
  attempt: v.number(),
  batch: v.pipe(v.array(PageKey), v.minLength(1)),
});
export type PageBatch = v.InferOutput<typeof PageBatch>;

/**
 * The fetcher that is used for a page. Its health is in the row `line` of the pace table; null if no health
 * is kept.
 */
export const ChosenFetcher = v.object({
  fetcher: FetcherName,
  line: v.nullable(v.string()),
  /** Failures in a row when the fetcher was chosen. */
  walls: v.number(),
  /** Whether this is the single request after a rest. */
  isProbe: v.boolean(),
});
export type ChosenFetcher = v.InferOutput<typeof ChosenFetcher>;

/**
 * How a run goes on after a page that leads to further ones, if not with the next batch of its plan. `stop`:
 * no further page is fetched. `all`: all further pages are fetched at once.
 */
export const Onward = v.picklist(['stop', 'all']);
export type Onward = v.InferOutput<typeof Onward>;

export const FetchedPage = v.object({
  page: v.number(),
  outcome: Outcome,
  /** Null if no page arrived that could be judged. */
  verdict: v.nullable(Verdict),
  /** Key of the stored HTML; empty if nothing was stored. */
  html: v.string(),
  /** Number of fetches made. The page's `retry_count` is one less. */
  fetches: v.number(),
  has_next: v.boolean(),
  onward: v.optional(Onward),
  /**
   * Numbers of hidden links that were looked up, and of targets that were found; absent if there was nothing
   * to look up.
   */
  links_asked: v.optional(v.number()),
  links_found: v.optional(v.number()),
  fetched_at: v.number(),
  /**
   * Milliseconds of work on the page so far, in all steps. It bounds the steps that follow. Absent means 0.
   */
  spent_ms: v.optional(v.number()),
  /** Text for `error_message`: a stable word, a colon and a sentence. Empty if the fetch succeeded. */
  reason: v.string(),
  /** The fetcher that gets the page next. */
  next: v.optional(ChosenFetcher),
  /**
   * The order of the fetchers that are offered, for the step that opens the page in the browser. That step
   * has no right to read the login of the provider, so it cannot find out whether `upstream` is among them.
   */
  order: v.optional(v.array(FetcherName)),
});
export type FetchedPage = v.InferOutput<typeof FetchedPage>;

/**
 * What the pages of a run say about their engine. `open`: a page was fetched. `wall`: no page was fetched,
 * and the engine answered with a captcha or a refusal. Null: the run says nothing about the engine.
 */
export type BlockSignal = 'open' | 'wall' | null;

/** A page with its outcome: the output of a fetch state, and the input of the next one. */
export const AnsweredPage = v.object({ ...PageKey.entries, ...FetchedPage.entries });
export type AnsweredPage = v.InferOutput<typeof AnsweredPage>;

/**
 * The output of a fetch state that met back-pressure. ParseTask then ends the run, and the task is postponed.
 */
export const refusedPage = ({ user_id, id, attempt, page }: PageKey): AnsweredPage => ({
  user_id,
  id,
  attempt,
  page,
  outcome: 'refused',
  verdict: null,
  html: '',
  fetches: 0,
  has_next: false,
  fetched_at: 0,
  reason: 'refused: a service refused a call for lack of capacity',
});

/**
 * The errors of a state whose function Lambda did not run, or whose answer it lost. The function cannot
 * report them itself, so the run fails with them after their retries.
 */
export const lambdaRefusals = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

/**
 * Input of ParseTask: the run, the pages of the batches before the last one, and the pages of the last batch.
 */
export const CrawledTask = v.object({
  ...TaskKey.entries,
  attempt: v.number(),
  first: v.optional(v.array(FetchedPage), []),
  crawled: v.optional(v.array(FetchedPage), []),
  /** Whether the pages are those of the upstream provider. */
  byProvider: v.optional(v.boolean()),
});
export type CrawledTask = v.InferOutput<typeof CrawledTask>;

/**
 * Input of PostSearch: the run that hands its search to the upstream provider, and the provider as it was
 * chosen.
 */
export const HandedSearch = v.object({ ...TaskKey.entries, attempt: v.number(), next: ChosenFetcher });
export type HandedSearch = v.InferOutput<typeof HandedSearch>;

/** Input of CollectPages: the run whose search the upstream provider has answered. */
export const AnsweredSearch = v.object({ ...TaskKey.entries, attempt: v.number() });
export type AnsweredSearch = v.InferOutput<typeof AnsweredSearch>;

/**
 * Input of the `postback` state machine: the delivery, and the number of its next attempt (1 to 5; 6 parks
 * the delivery).
 */
export const DeliveryKey = v.object({
  ...TaskKey.entries,
  delivery: v.string(),
  attempt: v.number(),
  /**
   * Number of times that this attempt was postponed because an AWS service refused a call. Absent means 0.
   */
  refused: v.optional(v.number()),
  /** How often the delivery was sent again before this attempt. Absent means never. */
  round: v.optional(v.number()),
  /** Whether the receiver has accepted this attempt, and only the record of it is missing. */
  sent: v.optional(v.boolean()),
});
export type DeliveryKey = v.InferOutput<typeof DeliveryKey>;

/**
 * Body of a postback message. `patient` is true on the patient queue, which takes the deliveries of users
 * without a free slot.
 */
export const PostbackMessage = v.object({
  ...DeliveryKey.entries,
  ...Traced,
  patient: v.optional(v.boolean(), false),
});
export type PostbackMessage = v.InferOutput<typeof PostbackMessage>;

/**
 * The event of a scheduled function that shares its work with others: the shards of the index that it
 * handles. Absent: all of them.
 */
export const ShardsEvent = v.object({ shards: v.optional(v.array(v.number())) });
