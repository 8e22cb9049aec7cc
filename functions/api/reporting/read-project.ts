/** Returns a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { showProject } from '../../../lib/reporting/manage/projects.ts';

export const handler = endpoint(routes['reporting/read-project'], ({ params, user }) =>
  showProject(user, params.project_id),
);
