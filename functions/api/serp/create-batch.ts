/** Queues many crawls of one engine, all or none, and returns the waiting tasks in the same order. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { batchRoutes as routes } from '../../../lib/api/routes/batches.ts';
import { batchHeaders, createV1Batch } from '../../../lib/crawl/create-batch.ts';

export const handler = endpoint(
  routes['serp/create-batch'],
  async ({ params, body, headers, user, request, response }) => {
    const tasks = await createV1Batch(user, params.system_name, body, request.baseUrl, {
      headers,
      idempotency: request.idempotency,
    });
    Object.assign(response.headers, batchHeaders(tasks));
    return tasks;
  },
);
