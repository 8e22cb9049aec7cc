/** Lists the projects of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { showProjects } from '../../../lib/reporting/manage/projects.ts';

export const handler = endpoint(routes['reporting/list-managed-projects'], ({ query, user }) =>
  showProjects(user, query),
);
