/** Tasks of keyword data, as the API returns them and as their webhooks deliver them (Reading 33). */
import * as v from 'valibot';
import { HasData, KeywordDataSV, KeywordIdeaMetric } from './keyword-metrics.ts';
import { Count, Seconds } from './scalar.ts';

export const KeywordStatus = v.picklist([
  'awaiting',
  'parsing',
  'success',
  'completed',
  'error',
  'dead_letter',
]);
export type KeywordStatus = v.InferOutput<typeof KeywordStatus>;

const Status = v.pipe(
  v.optional(KeywordStatus, 'awaiting'),
  v.description(
    'The state of the task. `success`, `error` and `dead_letter` are final; `completed` is never set',
  ),
);

/** The fields that both kinds of tasks have. Reading 4: the last ones are additional to those of the specification. */
const life = {
  id: v.pipe(Count, v.description('The id of the task')),
  user_id: v.pipe(Count, v.description('The id of its user')),
  sharding: v.pipe(v.optional(Count, 0), v.description('The index shard that contains the task')),
  postback_retries_count: v.pipe(
    v.optional(Count, 0),
    v.description('Attempts at the webhook after the first one'),
  ),
  status: Status,
  postback_url: v.pipe(v.optional(v.nullable(v.string()), null), v.description('The URL of the webhook')),
  created_at: v.pipe(Seconds, v.description('Unix time at which the task was created')),
  succeed_at: v.pipe(
    v.optional(Seconds, 0),
    v.description('Unix time at which the task succeeded; 0 before'),
  ),
  ttl: v.pipe(Seconds, v.description('Unix time at which the data of the task expires')),
};

const additional = {
  created_on: v.pipe(v.string(), v.description('The day on which the task was created, UTC')),
  error_message: v.optional(v.nullable(v.string()), null),
  crawled_at: v.pipe(
    v.optional(Seconds, 0),
    v.description('Unix time at which the source gave the figures; 0 before'),
  ),
  reused: v.pipe(
    v.optional(v.boolean(), false),
    v.description('Whether the figures were stored by an earlier request'),
  ),
  complete: v.pipe(
    v.optional(v.nullable(v.boolean()), null),
    v.description('Null until the task is final; then whether it has a result'),
  ),
  waiting_until: v.pipe(
    v.optional(v.nullable(Seconds), null),
    v.description('Unix time until which the task waits for its source; null if it does not wait'),
  ),
  warnings: v.pipe(
    v.optional(v.array(v.string()), []),
    v.description('What was accepted without effect, one sentence each'),
  ),
};

const KeywordDataResult = v.object({
  text: v.pipe(v.string(), v.description('The keyword as it was asked')),
  keyword_idea_metrics: KeywordIdeaMetric,
  has_data: HasData,
});

export const KeywordDataTask = v.object({
  ...life,
  key: v.pipe(v.optional(v.string(), ''), v.description('The keyword')),
  loc_id: v.pipe(
    v.optional(v.nullable(Count), null),
    v.description('The location code; null means the whole world'),
  ),
  result: v.pipe(
    v.optional(v.array(KeywordDataResult), []),
    v.description('Empty until the task has succeeded; then one item'),
  ),
  ...additional,
});
export type KeywordDataTask = v.InferOutput<typeof KeywordDataTask>;

export const ListKeywordDataTask = v.object({
  num_items: v.pipe(Count, v.description('The number of tasks in `items`')),
  items: v.pipe(v.array(KeywordDataTask), v.description('The tasks, newest first')),
  cursor: v.pipe(
    v.nullable(v.string()),
    v.description('Send it as `cursor` to get the next page; null at the end of the list'),
  ),
});
export type ListKeywordDataTask = v.InferOutput<typeof ListKeywordDataTask>;

export const LiveVolume = v.object({
  results: v.pipe(
    v.array(KeywordDataSV),
    v.description('One item for each keyword, in the order of `keywords`'),
  ),
});
export type LiveVolume = v.InferOutput<typeof LiveVolume>;

export const KeywordSuggestionItem = v.object({
  text: v.pipe(v.string(), v.description('The keyword')),
  keyword_idea_metrics: KeywordIdeaMetric,
  keyword_annotations: v.pipe(
    v.object({
      concepts: v.pipe(
        v.array(
          v.object({
            name: v.pipe(v.string(), v.description('The concept')),
            // The specification spells it so.
            concept_grop: v.pipe(
              v.object({
                name: v.pipe(v.string(), v.description('The name of the group; empty if unknown')),
                type: v.pipe(
                  v.string(),
                  v.description('The kind of the group, such as `BRAND`; empty if unknown'),
                ),
              }),
              v.description('The group that the concept belongs to'),
            ),
          }),
        ),
        v.description('The concepts in the keyword'),
      ),
    }),
    v.description('What the source says about the words of the keyword'),
  ),
  has_data: HasData,
});
export type KeywordSuggestionItem = v.InferOutput<typeof KeywordSuggestionItem>;

export const AggregateMetricResults = v.object({
  device: v.pipe(v.string(), v.description('The kind of device, such as `MOBILE`')),
  search_count: v.pipe(Count, v.description('Searches for all the ideas together from such devices')),
});
export type AggregateMetricResults = v.InferOutput<typeof AggregateMetricResults>;

export const IdeasTask = v.object({
  ...life,
  keywords: v.pipe(v.array(v.string()), v.description('The seed keywords')),
  location_code: v.pipe(Count, v.description('The location code')),
  language_code: v.pipe(v.string(), v.description('The language code; empty means any language')),
  page_url: v.pipe(
    v.nullable(v.string()),
    v.description('The page that the ideas should fit; null if there is none'),
  ),
  include_seed_keyword: v.pipe(
    v.boolean(),
    v.description('Whether the seed keywords themselves may be among the ideas'),
  ),
  results: v.pipe(
    v.array(KeywordSuggestionItem),
    v.description('The ideas, in the order of the source; empty until the task has succeeded'),
  ),
  aggregate_metric_results: v.pipe(
    v.array(AggregateMetricResults),
    v.description('Searches by kind of device; empty until the task has succeeded'),
  ),
  ...additional,
});
export type IdeasTask = v.InferOutput<typeof IdeasTask>;
