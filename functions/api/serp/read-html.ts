/** Returns the stored HTML of a page of the caller's task. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { readTaskHtml } from '../../../lib/crawl/read-html.ts';

export const handler = endpoint(routes['serp/read-html'], ({ params, query, user }) =>
  readTaskHtml(user, params.task_id, query.page),
);
