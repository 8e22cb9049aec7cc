/** Queues a Google crawl and returns the task: as it waits, or at the end of the caller's wait. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createAwaitedTask } from '../../../lib/crawl/awaited.ts';

export const handler = endpoint(routes['serp/create-google-task'], ({ body, query, user, request }) =>
  createAwaitedTask(user, body, request.baseUrl, query.wait, { idempotency: request.idempotency }),
);
