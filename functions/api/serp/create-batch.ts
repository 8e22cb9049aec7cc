/** Queues many crawls with one of the engines, all or none, and returns the waiting tasks in the same order. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createSerpBatch } from '../../../lib/crawl/create-batch.ts';

export const handler = endpoint(routes['serp/create-batch'], ({ params, body, user, request }) =>
  createSerpBatch(user, params.system_name, body, request.baseUrl, { idempotency: request.idempotency }),
);
