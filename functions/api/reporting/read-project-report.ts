/** Returns the figures of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportRoutes as routes } from '../../../lib/api/routes/report.ts';
import { showReportProject } from '../../../lib/reporting/report/projects.ts';

export const handler = endpoint(routes['reporting/read-project-report'], ({ params, query, user }) =>
  showReportProject(user, params.id, query),
);
