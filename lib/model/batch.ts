/** A batch of tasks, as the API returns it and as its webhook delivers it (Reading 46). */
import * as v from 'valibot';
import { component, described, keysOf, withWords } from './described.ts';
import { csvFor } from './forms.ts';
import { Count, choice, PathId, Seconds, WebhookUrl } from './scalar.ts';
import { payloadType } from './webhook-type.ts';

/** The states that a task can have. `completed` is never set (Reading 1). */
const countedStatuses = [
  'awaiting',
  'crawling',
  'awaiting_webhook',
  'parsing',
  'success',
  'error',
  'dead_letter',
] as const;

const count = (meaning: string, example: number) => described(Count, meaning, example);

export const BatchCounts = component(
  'BatchCounts',
  'The number of tasks in each status',
  v.object({
    awaiting: count('Tasks that wait for a run', 1),
    crawling: count('Tasks whose pages are being fetched', 0),
    awaiting_webhook: count('Tasks that an upstream provider has accepted', 0),
    parsing: count('Tasks whose pages are being read', 0),
    success: count('Tasks that have a result. Final', 1),
    error: count('Tasks that have failed. Final', 0),
    dead_letter: count(
      'Tasks that the service could not process. Final, unless an operator starts them again',
      0,
    ),
  } satisfies Record<(typeof countedStatuses)[number], v.GenericSchema>),
);
export type BatchCounts = v.InferOutput<typeof BatchCounts>;

/** Counts without any task. */
export const noCounts: BatchCounts = {
  awaiting: 0,
  crawling: 0,
  awaiting_webhook: 0,
  parsing: 0,
  success: 0,
  error: 0,
  dead_letter: 0,
};

const batchStates = { running: 'some tasks are not final', finished: 'all tasks are final' };

export const Batch = component(
  'Batch',
  'A batch of tasks, and how many of them are in each status',
  v.object({
    id: described(
      Count,
      'The id of the batch: the header `x-batch-id` of the response that accepted it',
      3767392204849151,
    ),
    user_id: described(Count, 'The user that the batch belongs to', 1),
    status: described(
      v.picklist(keysOf(batchStates)),
      withWords('The state of the batch', batchStates),
      'running',
    ),
    total: described(Count, 'The number of tasks', 2),
    counts: described(BatchCounts, 'The number of tasks in each status', {
      ...noCounts,
      awaiting: 1,
      success: 1,
    }),
    created_at: described(Seconds, 'Unix time at which the batch was accepted', 1795996800),
    ttl: described(Seconds, 'Unix time at which the batch and its tasks expire', 1796083200),
    results_url: described(
      v.nullable(v.string()),
      'Where the tasks can be downloaded as JSON lines, with an API key; null until all tasks are final',
      null,
    ),
    postback_url: described(
      v.nullable(v.string()),
      'Receives this object once, when all tasks are final; null if the request named no URL',
      'https://hooks.example.com/rankings',
    ),
    postback_retries_count: described(Count, 'Attempts at the webhook of the batch after the first one', 0),
  }),
);
export type Batch = v.InferOutput<typeof Batch>;

export const BatchPayload = component(
  'BatchPayload',
  'The webhook of a batch: the batch as GET returns it',
  v.object({ type: payloadType('batch.finished'), ...Batch.entries }),
);

export const BatchParams = v.object({ batch_id: described(PathId, 'The id of the batch', 3767392204849151) });

/** The headers of a request that creates a batch. */
export const BatchHeaders = v.object({
  'x-batch-postback-url': described(
    v.optional(WebhookUrl, ''),
    'Webhook URL that receives the batch once, when all of its tasks are final. It must be HTTPS. Empty ' +
      'means none',
    'https://hooks.example.com/batches',
  ),
});
export type BatchHeaders = v.InferOutput<typeof BatchHeaders>;

/** The forms in which the results of a batch can be downloaded. */
export const ResultsQuery = v.object({
  format: described(
    v.optional(choice(['jsonl', 'csv']), 'jsonl'),
    '`jsonl`: a line for each task, as GET returns it. `csv`: a row for each result',
    'csv',
  ),
  for: csvFor,
});
export type ResultsQuery = v.InferOutput<typeof ResultsQuery>;

export const ResultsHeaders = v.object({ 'accept-encoding': v.optional(v.string(), '') });
export type ResultsHeaders = v.InferOutput<typeof ResultsHeaders>;
