/** Returns a page of the keywords of a project of the caller, or all of them as CSV. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportRoutes as routes } from '../../../lib/api/routes/report.ts';
import { listReportKeywords } from '../../../lib/reporting/report/keywords.ts';

export const handler = endpoint(
  routes['reporting/list-keywords'],
  ({ params, query, headers, user, request }) =>
    listReportKeywords(user, params.id, query, { baseUrl: request.baseUrl, accept: headers.accept }),
);
