/** Returns a page of the history of a keyword of the caller, or the whole range as CSV. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportRoutes as routes } from '../../../lib/api/routes/report.ts';
import { listHistory } from '../../../lib/reporting/report/history.ts';

export const handler = endpoint(
  routes['reporting/list-history'],
  ({ params, query, headers, user, request }) =>
    listHistory(user, params.id, query, { baseUrl: request.baseUrl, accept: headers.accept }),
);
