/** Queues a Google crawl and returns the waiting task. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createTasks } from '../../../lib/crawl/create.ts';
import { clock } from '../../../lib/runtime/clock.ts';

export const handler = endpoint(routes['serp/create-google-task'], async ({ body, user, request }) => {
  const [task] = await createTasks(user, [body], request.baseUrl, clock(), {
    idempotency: request.idempotency,
  });
  return task!;
});
