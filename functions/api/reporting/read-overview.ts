/** Returns the overview of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readOverview } from '../../../lib/reporting/manage/read-overview.ts';

export const handler = endpoint(routes['reporting/read-overview'], ({ params, user }) =>
  readOverview(user, params.project_id),
);
