/** Creates a project. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createProject } from '../../../lib/reporting/manage/projects.ts';

export const handler = endpoint(routes['reporting/create-project'], ({ body, user }) =>
  createProject(user, body),
);
