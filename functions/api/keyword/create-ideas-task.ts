/** Queues a request for keyword ideas and returns the waiting task. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { createIdeasTask } from '../../../lib/keyword/create.ts';

export const handler = endpoint(routes['keyword/create-ideas-task'], ({ body, user, request }) =>
  createIdeasTask(user, body, request.baseUrl, { idempotency: request.idempotency }),
);
