/** Returns a page of the caller's v2 tasks that pass the filter. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { listV2Tasks } from '../../../lib/crawl/list-v2.ts';

export const handler = endpoint(routes['serp/list-google-tasks'], ({ query, user }) =>
  listV2Tasks(user, query),
);
