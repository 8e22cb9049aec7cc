/** Changes several keywords of a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { trackerRoutes as routes } from '../../../lib/api/routes/tracker.ts';
import { changeKeywords } from '../../../lib/reporting/manage/change-keywords.ts';

export const handler = endpoint(routes['reporting/update-keywords'], ({ params, body, user }) =>
  changeKeywords(user, params.project_id, body),
);
