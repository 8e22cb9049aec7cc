/** Queues a Google crawl and returns the waiting task or, if the caller waits, the task at the end of the wait. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createTasks } from '../../../lib/crawl/create.ts';
import { readTask } from '../../../lib/crawl/view.ts';
import { endOfWait } from '../../../lib/crawl/wait.ts';
import { clock } from '../../../lib/runtime/clock.ts';

export const handler = endpoint(routes['serp/create-google-task'], async ({ body, query, user, request }) => {
  const until = endOfWait(query.wait);
  const [task] = await createTasks(user, [body], request.baseUrl, clock(), {
    idempotency: request.idempotency,
  });
  return until === undefined ? task! : readTask(user, task!.id, until);
});
