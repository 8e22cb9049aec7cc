/** Makes a link to the report of a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { trackerRoutes as routes } from '../../../lib/api/routes/tracker.ts';
import { createReportLink } from '../../../lib/reporting/manage/report-link.ts';

export const handler = endpoint(routes['reporting/create-report-link'], ({ params, body, user, request }) =>
  createReportLink(user, params.project_id, body, request.baseUrl),
);
