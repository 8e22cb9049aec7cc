/** Returns what the keywords of a project of the caller cost. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readCost } from '../../../lib/reporting/manage/read-project.ts';

export const handler = endpoint(routes['reporting/read-cost'], ({ params, user }) =>
  readCost(user, params.project_id),
);
