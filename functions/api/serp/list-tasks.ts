/** Returns a page of the caller's v1 tasks in one status. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { listV1Tasks } from '../../../lib/crawl/list-v1.ts';

export const handler = endpoint(routes['serp/list-tasks'], ({ query, user }) => listV1Tasks(user, query));
