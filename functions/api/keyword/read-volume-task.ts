/** Returns a keyword task of the caller, with its result if there is one. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { readKeywordTask } from '../../../lib/keyword/view.ts';

export const handler = endpoint(routes['keyword/read-volume-task'], ({ params, query, user }) =>
  readKeywordTask(user, params.task_id, query.created_on),
);
