/** Crawls with one of the engines, and returns the task when it has ended. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { createLiveTask } from '../../../lib/crawl/awaited.ts';

export const handler = endpoint(routes['serp/create-live-task'], ({ params, body, user, request }) =>
  createLiveTask(user, params.system_name, body, request.baseUrl, { idempotency: request.idempotency }),
);
