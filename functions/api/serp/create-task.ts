/** Queues a crawl with one of the engines and returns the waiting task. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { createV1Tasks } from '../../../lib/crawl/create.ts';
import { clock } from '../../../lib/runtime/clock.ts';

export const handler = endpoint(routes['serp/create-task'], async ({ params, body, user, request }) => {
  const [task] = await createV1Tasks(user, params.system_name, [body], request.baseUrl, clock(), {
    idempotency: request.idempotency,
  });
  return task!;
});
