/** Operations on projects and their tracked keywords. */
import { ManagedProject, ProjectParams, ProjectRequest } from '../../model/reporting.ts';
import type { Route } from '../route.ts';

export const reportingRoutes = {
  'reporting/create-project': {
    method: 'POST',
    path: '/api/v1/projects',
    auth: 'bearer',
    summary: 'Create a project',
    description:
      'A project tracks the positions of a site, and of its competitors, for keywords that are added to it.',
    body: ProjectRequest,
    alerts: true,
    reply: ManagedProject,
    returns: 'The project, without keywords',
  },
  'reporting/read-project': {
    method: 'GET',
    path: '/api/v1/projects/{project_id}',
    auth: 'bearer',
    summary: 'Read a project',
    params: ProjectParams,
    reply: ManagedProject,
    returns: 'The project',
  },
} as const satisfies Record<`reporting/${string}`, Route>;
