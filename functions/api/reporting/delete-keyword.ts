/** Deletes a tracked keyword of the user with its history. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { removeKeyword } from '../../../lib/reporting/manage/change-keyword.ts';

export const handler = endpoint(routes['reporting/delete-keyword'], ({ params, user, request }) =>
  removeKeyword(user, params, request.baseUrl),
);
