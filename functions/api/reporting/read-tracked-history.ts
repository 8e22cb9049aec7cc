/** Returns the history of a keyword of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readTrackedHistory } from '../../../lib/reporting/manage/read-project.ts';

export const handler = endpoint(
  routes['reporting/read-tracked-history'],
  ({ params, query, headers, user }) => readTrackedHistory(user, params, query, headers.accept),
);
