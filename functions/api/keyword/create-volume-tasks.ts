/** Queues keywords for their search volume, all or none, and returns the waiting tasks in the same order. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { createKeywordTasks } from '../../../lib/keyword/create.ts';

export const handler = endpoint(routes['keyword/create-volume-tasks'], ({ body, user, request }) =>
  createKeywordTasks(user, body, request.baseUrl, { idempotency: request.idempotency }),
);
