/** Deletes several keywords of a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { trackerRoutes as routes } from '../../../lib/api/routes/tracker.ts';
import { removeKeywords } from '../../../lib/reporting/manage/change-keywords.ts';

export const handler = endpoint(routes['reporting/delete-keywords'], ({ params, body, user }) =>
  removeKeywords(user, params.project_id, body.keyword_ids),
);
