/** Returns a keyword of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readKeyword } from '../../../lib/reporting/manage/read-project.ts';

export const handler = endpoint(routes['reporting/read-keyword'], ({ params, user, request }) =>
  readKeyword(user, params, request.baseUrl),
);
