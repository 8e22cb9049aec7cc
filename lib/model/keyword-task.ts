/** Tasks of keyword data, as the API returns them and as their webhooks deliver them (Reading 33). */
import * as v from 'valibot';
import { component, described, statesOf, withWords } from './described.ts';
import { HasData, KeywordDataSV, MetricsOfKeyword } from './keyword-metrics.ts';
import { Count, Seconds } from './scalar.ts';
import { ErrorMessage } from './task-fields.ts';

const keywordStatuses = {
  awaiting: 'accepted, and waiting for its turn',
  parsing: 'the source is asked for its figures. Tasks of a call for more than 100 keywords skip this state',
  success: 'final: the figures are there',
  completed: 'never set; accepted as a filter',
  error: 'final: there are no figures, and `error_message` says why',
  dead_letter: 'final: the service failed; an operator can start the task again',
};

export const KeywordStatus = component(
  'KeywordStatus',
  withWords('The state of a keyword task or of a task of keyword ideas', keywordStatuses),
  statesOf('Keyword', keywordStatuses),
);
export type KeywordStatus = v.InferOutput<typeof KeywordStatus>;

const Status = described(
  v.optional(KeywordStatus, 'awaiting'),
  'The state of the task. `success`, `error` and `dead_letter` are final; `completed` is never set',
  'success',
);

/**
 * The fields that both kinds of tasks have. Reading 4: the last ones are additional to those of the
 * specification.
 */
const life = {
  id: described(Count, 'The id of the task', 3767392204849152),
  user_id: described(Count, 'The id of its user', 1),
  sharding: described(v.optional(Count, 0), 'The index shard that contains the task', 0),
  postback_retries_count: described(v.optional(Count, 0), 'Attempts at the webhook after the first one', 0),
  status: Status,
  postback_url: described(
    v.optional(v.nullable(v.string()), null),
    'The URL of the webhook',
    'https://hooks.example.com/rankings',
  ),
  created_at: described(Seconds, 'Unix time at which the task was created', 1795996800),
  succeed_at: described(
    v.optional(Seconds, 0),
    'Unix time at which the task succeeded; 0 before',
    1795996802,
  ),
  ttl: described(Seconds, 'Unix time at which the data of the task expires', 1796083200),
};

const additional = {
  created_on: described(v.string(), 'The day on which the task was created, UTC', '2026-11-22'),
  error_message: ErrorMessage,
  crawled_at: described(
    v.optional(Seconds, 0),
    'Unix time at which the source gave the figures; 0 before',
    1795996801,
  ),
  reused: described(
    v.optional(v.boolean(), false),
    'Whether the figures were stored by an earlier request',
    false,
  ),
  complete: described(
    v.optional(v.nullable(v.boolean()), null),
    'Null until the task is final; then whether it has a result',
    true,
  ),
  waiting_until: described(
    v.optional(v.nullable(Seconds), null),
    'Unix time until which the task waits for its source; null if it does not wait',
    null,
  ),
  warnings: described(
    v.optional(v.array(v.string()), []),
    'What was accepted without effect, one sentence each',
    [],
  ),
};

const KeywordDataResult = v.object({
  text: described(v.string(), 'The keyword as it was asked', 'coffee grinder'),
  keyword_idea_metrics: MetricsOfKeyword,
  has_data: HasData,
});

export const KeywordDataTask = component(
  'KeywordDataTask',
  'A keyword task, with its figures after success',
  v.object({
    ...life,
    key: described(v.optional(v.string(), ''), 'The keyword', 'coffee grinder'),
    loc_id: described(
      v.optional(v.nullable(Count), null),
      'The location code; null means the whole world',
      2840,
    ),
    result: described(
      v.optional(v.array(KeywordDataResult), []),
      'Empty until the task has succeeded; then one item',
      [],
    ),
    ...additional,
  }),
);
export type KeywordDataTask = v.InferOutput<typeof KeywordDataTask>;

export const ListKeywordDataTask = component(
  'ListKeywordDataTask',
  'A page of the list of keyword tasks',
  v.object({
    num_items: described(Count, 'The number of tasks in `items`', 1),
    items: described(v.array(KeywordDataTask), 'The tasks, newest first', []),
    cursor: described(
      v.nullable(v.string()),
      'Send it as `cursor` to get the next page; null at the end of the list',
      null,
    ),
  }),
);
export type ListKeywordDataTask = v.InferOutput<typeof ListKeywordDataTask>;

export const LiveVolume = v.object({
  results: described(v.array(KeywordDataSV), 'One item for each keyword, in the order of `keywords`', []),
});
export type LiveVolume = v.InferOutput<typeof LiveVolume>;

const KeywordSuggestionItem = component(
  'KeywordSuggestionItem',
  'A keyword idea with its figures',
  v.object({
    text: described(v.string(), 'The keyword', 'coffee grinder'),
    keyword_idea_metrics: MetricsOfKeyword,
    keyword_annotations: described(
      v.object({
        concepts: described(
          v.array(
            v.object({
              name: described(v.string(), 'The concept', 'coffee'),
              // The specification spells it so.
              concept_grop: described(
                v.object({
                  name: described(v.string(), 'The name of the group; empty if unknown', 'Drinks'),
                  type: described(
                    v.string(),
                    'The kind of the group, such as `BRAND`; empty if unknown',
                    'NON_BRAND',
                  ),
                }),
                'The group that the concept belongs to',
                { name: 'Drinks', type: 'NON_BRAND' },
              ),
            }),
          ),
          'The concepts in the keyword',
          [{ name: 'coffee', concept_grop: { name: 'Drinks', type: 'NON_BRAND' } }],
        ),
      }),
      'What the source says about the words of the keyword',
      { concepts: [{ name: 'coffee', concept_grop: { name: 'Drinks', type: 'NON_BRAND' } }] },
    ),
    has_data: HasData,
  }),
);

const AggregateMetricResults = component(
  'AggregateMetricResults',
  'The searches from one kind of device for all ideas together',
  v.object({
    device: described(v.string(), 'The kind of device, such as `MOBILE`', 'MOBILE'),
    search_count: described(Count, 'Searches for all the ideas together from such devices', 12100),
  }),
);

export const IdeasTask = component(
  'IdeasTask',
  'A task of keyword ideas, with the ideas after success',
  v.object({
    ...life,
    keywords: described(v.array(v.string()), 'The seed keywords', ['coffee grinder']),
    location_code: described(Count, 'The location code', 2840),
    language_code: described(v.string(), 'The language code; empty means any language', 'de'),
    page_url: described(
      v.nullable(v.string()),
      'The page that the ideas should fit; null if there is none',
      null,
    ),
    include_seed_keyword: described(
      v.boolean(),
      'Whether the seed keywords themselves may be among the ideas',
      true,
    ),
    results: described(
      v.array(KeywordSuggestionItem),
      'The ideas, in the order of the source; empty until the task has succeeded',
      [],
    ),
    aggregate_metric_results: described(
      v.array(AggregateMetricResults),
      'Searches by kind of device; empty until the task has succeeded',
      [],
    ),
    ...additional,
  }),
);
export type IdeasTask = v.InferOutput<typeof IdeasTask>;
