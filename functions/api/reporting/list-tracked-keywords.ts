/** Returns a page of the keywords of a project of the caller with their positions, or all of them as CSV. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { listTrackedKeywords } from '../../../lib/reporting/manage/read-project.ts';

export const handler = endpoint(
  routes['reporting/list-tracked-keywords'],
  ({ params, query, headers, user, request }) =>
    listTrackedKeywords(user, params.project_id, query, {
      baseUrl: request.baseUrl,
      accept: headers.accept,
    }),
);
