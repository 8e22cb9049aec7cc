/** Deletes a project of the user with its keywords and their history. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { removeProject } from '../../../lib/reporting/manage/projects.ts';

export const handler = endpoint(routes['reporting/delete-project'], ({ params, user }) =>
  removeProject(user, params.project_id),
);
