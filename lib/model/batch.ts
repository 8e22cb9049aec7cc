/** A batch of tasks, as the API returns it and as its webhook delivers it (Reading 46). */
import * as v from 'valibot';
import { Count, choice, PathId, Seconds, WebhookUrl } from './scalar.ts';

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

const count = (meaning: string) => v.pipe(Count, v.description(meaning));

export const BatchCounts = v.pipe(
  v.object({
    awaiting: count('Tasks that wait for a run'),
    crawling: count('Tasks whose pages are being fetched'),
    awaiting_webhook: count('Tasks that an upstream provider has accepted'),
    parsing: count('Tasks whose pages are being read'),
    success: count('Tasks that have a result. Final'),
    error: count('Tasks that have failed. Final'),
    dead_letter: count(
      'Tasks that the service could not process. Final, unless an operator starts them again',
    ),
  } satisfies Record<(typeof countedStatuses)[number], v.GenericSchema>),
  v.description('The number of tasks in each status'),
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

export const Batch = v.object({
  id: v.pipe(
    Count,
    v.description('The id of the batch: the header `x-batch-id` of the response that accepted it'),
  ),
  user_id: v.pipe(Count, v.description('The user that the batch belongs to')),
  status: v.pipe(v.picklist(['running', 'finished']), v.description('The state of the batch')),
  total: v.pipe(Count, v.description('The number of tasks')),
  counts: BatchCounts,
  created_at: v.pipe(Seconds, v.description('Unix time at which the batch was accepted')),
  ttl: v.pipe(Seconds, v.description('Unix time at which the batch and its tasks expire')),
  results_url: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Where the tasks can be downloaded as JSON lines, with an API key; null until all tasks are final',
    ),
  ),
  postback_url: v.pipe(
    v.nullable(v.string()),
    v.description('Receives this object once, when all tasks are final; null if the request named no URL'),
  ),
  postback_retries_count: v.pipe(
    Count,
    v.description('Attempts at the webhook of the batch after the first one'),
  ),
});
export type Batch = v.InferOutput<typeof Batch>;

export const BatchParams = v.object({ batch_id: PathId });

/** The headers of a request that creates a batch. */
export const BatchHeaders = v.object({
  'x-batch-postback-url': v.pipe(
    v.optional(WebhookUrl, ''),
    v.description(
      'Webhook URL that receives the batch once, when all of its tasks are final. It must be HTTPS. Empty means none',
    ),
  ),
});
export type BatchHeaders = v.InferOutput<typeof BatchHeaders>;

/** The forms in which the results of a batch can be downloaded. */
export const ResultsQuery = v.object({
  format: v.pipe(
    v.optional(choice(['jsonl', 'csv']), 'jsonl'),
    v.description('`jsonl`: a line for each task, as GET returns it. `csv`: a row for each result'),
  ),
});
export type ResultsQuery = v.InferOutput<typeof ResultsQuery>;

export const ResultsHeaders = v.object({ 'accept-encoding': v.optional(v.string(), '') });
export type ResultsHeaders = v.InferOutput<typeof ResultsHeaders>;
