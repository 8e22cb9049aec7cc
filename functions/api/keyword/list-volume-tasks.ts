/** Lists the caller's keyword tasks in one status, page by page. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { listKeywordTasks } from '../../../lib/keyword/list.ts';

export const handler = endpoint(routes['keyword/list-volume-tasks'], ({ query, user }) =>
  listKeywordTasks(user, query),
);
