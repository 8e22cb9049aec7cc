/** Returns a page of the caller's v1 tasks in one status. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { listSerpTasks } from '../../../lib/crawl/list.ts';

export const handler = endpoint(routes['serp/list-tasks'], ({ query, user }) => listSerpTasks(user, query));
