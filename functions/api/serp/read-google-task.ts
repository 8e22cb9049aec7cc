/** Returns a Google task of the caller, with its result if there is one. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { readV2TaskInForm } from '../../../lib/crawl/task-in-form.ts';

export const handler = endpoint(routes['serp/read-google-task'], ({ params, query, headers, user }) =>
  readV2TaskInForm(user, params.task_id, { query, headers }),
);
