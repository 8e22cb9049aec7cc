/** Changes a tracked keyword of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { changeKeyword } from '../../../lib/reporting/manage/change-keyword.ts';

export const handler = endpoint(routes['reporting/update-keyword'], ({ params, body, user, request }) =>
  changeKeyword(user, params, body, request.baseUrl),
);
