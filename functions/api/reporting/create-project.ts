/** Creates a project. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { createProject } from '../../../lib/reporting/manage/projects.ts';

export const handler = endpoint(routes['reporting/create-project'], ({ body, user }) =>
  createProject(user, body),
);
