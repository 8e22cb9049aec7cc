/** Queues many Google crawls, all or none, and returns the waiting tasks in the same order. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createTasks } from '../../../lib/crawl/create.ts';

export const handler = endpoint(routes['serp/create-google-batch'], ({ body, user, request }) =>
  createTasks(user, body, request.baseUrl),
);
