/** Returns a Google task of the caller, with its result if there is one. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { readAwaitedTask } from '../../../lib/crawl/awaited.ts';

export const handler = endpoint(routes['serp/read-google-task'], ({ params, query, user }) =>
  readAwaitedTask(user, params.task_id, query.wait),
);
