/** Operations on batches of searches. */
import * as v from 'valibot';
import { Batch, BatchHeaders, BatchParams, ResultsHeaders, ResultsQuery } from '../../model/batch.ts';
import { CrawlBatch, crawlBodies, GoogleCrawlBatch, SystemParams } from '../../model/crawl-request.ts';
import { V1Task } from '../../model/v1-task.ts';
import { V2Task } from '../../model/v2-task.ts';
import { RawResponse, type Route } from '../route.ts';

const batchId = {
  'x-batch-id': 'The id of the batch. `GET /api/v2/serp/batches/{batch_id}` shows its progress',
};

export const batchRoutes = {
  'serp/create-batch': {
    method: 'POST',
    path: '/api/v1/serp/crawl/{system_name}/batch',
    auth: 'bearer',
    summary: 'Queue up to 1,000 crawls',
    description:
      'The batch is accepted or rejected as a whole. The tasks are returned in the order of the requests.',
    params: SystemParams,
    body: CrawlBatch,
    searches: true,
    bodyFor: (params) => crawlBodies[v.parse(SystemParams, params).system_name].batch,
    delivers: true,
    headers: BatchHeaders,
    postbackHeader: 'x-batch-postback-url',
    creates: true,
    reply: v.array(V1Task),
    returns: 'The accepted tasks, with status `awaiting`',
    replyHeaders: batchId,
  },
  'serp/create-google-batch': {
    method: 'POST',
    path: '/api/v2/serp/crawl/google/batch',
    auth: 'bearer',
    summary: 'Queue up to 1,000 Google crawls',
    description:
      'The batch is accepted or rejected as a whole. The tasks are returned in the order of the requests.',
    body: GoogleCrawlBatch,
    searches: true,
    delivers: true,
    headers: BatchHeaders,
    postbackHeader: 'x-batch-postback-url',
    creates: true,
    reply: v.array(V2Task),
    returns: 'The accepted tasks, with status `awaiting`',
    replyHeaders: batchId,
  },
  'serp/read-batch': {
    method: 'GET',
    path: '/api/v2/serp/batches/{batch_id}',
    auth: 'bearer',
    summary: 'Read the progress of a batch',
    description:
      'Works for batches of both versions. Each request reads all tasks of the batch; to be told of its end instead, send the header ' +
      '`x-batch-postback-url` with the batch.',
    params: BatchParams,
    reply: Batch,
    returns: 'The batch, with the number of its tasks in each status',
  },
  'serp/read-batch-results': {
    method: 'GET',
    path: '/api/v2/serp/batches/{batch_id}/results',
    auth: 'bearer',
    summary: 'Download the results of a batch',
    description:
      'Redirects to a file with all tasks of the batch, in the order of the requests, also those that have failed. The link is valid for ' +
      'five minutes and needs no key: do not send the key to it. The file is compressed if the request accepts gzip.',
    params: BatchParams,
    query: ResultsQuery,
    headers: ResultsHeaders,
    conflict: 'Tasks of the batch are still running',
    reply: RawResponse,
    returns: 'Redirect to the file',
    response: {
      status: 302,
      target: {
        description: 'The file, for a client that follows the redirect',
        types: ['application/jsonl', 'text/csv'],
      },
    },
  },
} as const satisfies Record<`serp/${string}`, Route>;
