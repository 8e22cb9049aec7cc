/** Returns a task of keyword ideas of the caller, with its ideas if there are any. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { readIdeasTask } from '../../../lib/keyword/view.ts';

export const handler = endpoint(routes['keyword/read-ideas-task'], ({ params, user }) =>
  readIdeasTask(user, params.task_id),
);
