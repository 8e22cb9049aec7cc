/** Queues many Google crawls, all or none, and returns the waiting tasks in the same order. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { batchRoutes as routes } from '../../../lib/api/routes/batches.ts';
import { batchHeaders, createV2Batch } from '../../../lib/crawl/create-batch.ts';

export const handler = endpoint(
  routes['serp/create-google-batch'],
  async ({ body, headers, user, request, response }) => {
    const tasks = await createV2Batch(user, body, request.baseUrl, {
      headers,
      idempotency: request.idempotency,
    });
    Object.assign(response.headers, batchHeaders(tasks));
    return tasks;
  },
);
