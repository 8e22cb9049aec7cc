/** Changes a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { changeProject } from '../../../lib/reporting/manage/projects.ts';

export const handler = endpoint(routes['reporting/update-project'], ({ params, body, user }) =>
  changeProject(user, params.project_id, body),
);
