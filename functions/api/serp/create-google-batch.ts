/** Queues many Google crawls, all or none, and returns the waiting tasks in the same order. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createBatch } from '../../../lib/crawl/create-batch.ts';

export const handler = endpoint(routes['serp/create-google-batch'], ({ body, user, request }) =>
  createBatch(user, body, request.baseUrl, { idempotency: request.idempotency }),
);
