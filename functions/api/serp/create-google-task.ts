/** Queues a Google crawl and returns the task: as it waits, or at the end of the caller's wait. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { createV2TaskInForm } from '../../../lib/crawl/task-in-form.ts';

export const handler = endpoint(
  routes['serp/create-google-task'],
  ({ body, query, user, request: { baseUrl, idempotency } }) =>
    createV2TaskInForm(user, body, baseUrl, query, { idempotency }),
);
