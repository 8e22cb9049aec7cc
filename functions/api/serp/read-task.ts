/** Returns a task of the caller, with its result if there is one. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { readSerpTask } from '../../../lib/crawl/view.ts';

export const handler = endpoint(routes['serp/read-task'], ({ params, user }) =>
  readSerpTask(user, params.task_id),
);
