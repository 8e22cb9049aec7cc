/** Returns the share of voice of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readVisibility } from '../../../lib/reporting/manage/read-project.ts';

export const handler = endpoint(routes['reporting/read-visibility'], ({ params, query, headers, user }) =>
  readVisibility(user, params.project_id, query, headers.accept),
);
