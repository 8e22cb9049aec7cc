/** Search result tasks and their stored pages. */
import * as v from 'valibot';
import { GoogleCrawlBatch, GoogleCrawlRequest } from '../../model/crawl-request.ts';
import { GoogleSerpTask } from '../../model/google-serp-task.ts';
import { PathId } from '../../model/scalar.ts';
import { RawResponse, type Route } from '../route.ts';

const TaskParams = v.object({ task_id: PathId });

export const serpRoutes = {
  'serp/create-google-task': {
    method: 'POST',
    path: '/api/v2/serp/crawl',
    auth: 'bearer',
    summary: 'Queue a Google crawl',
    description:
      'Answers at once with the waiting task; its result is polled by id, or delivered to `postback_url`.',
    body: GoogleCrawlRequest,
    delivers: true,
    reply: GoogleSerpTask,
  },
  'serp/create-google-batch': {
    method: 'POST',
    path: '/api/v2/serp/crawl/google/batch',
    auth: 'bearer',
    summary: 'Queue up to 1,000 Google crawls',
    description: 'Accepted or refused whole. The tasks come back in the order of the requests.',
    body: GoogleCrawlBatch,
    delivers: true,
    reply: v.array(GoogleSerpTask),
  },
  'serp/read-google-task': {
    method: 'GET',
    path: '/api/v2/serp/crawl/{task_id}',
    auth: 'bearer',
    summary: 'Read a Google task, with its result once it has one',
    params: TaskParams,
    reply: GoogleSerpTask,
  },
  'serp/open-page': {
    method: 'GET',
    path: '/pages/{token}',
    auth: 'none',
    summary: 'Open a stored page by the link of a webhook',
    description: 'Works without a key for 24 hours: leads to a short-lived link to the stored HTML.',
    params: v.object({ token: v.string() }),
    reply: RawResponse,
    response: { status: 302 },
  },
} as const satisfies Record<`serp/${string}`, Route>;
