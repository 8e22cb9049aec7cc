/** Returns a page of the caller's projects. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportRoutes as routes } from '../../../lib/api/routes/report.ts';
import { listReportProjects } from '../../../lib/reporting/report/projects.ts';

export const handler = endpoint(routes['reporting/list-projects'], ({ query, user, request }) =>
  listReportProjects(user, query, request.baseUrl),
);
