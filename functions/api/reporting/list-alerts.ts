/** Lists the alerts of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { listAlerts } from '../../../lib/reporting/manage/alert-deliveries.ts';

export const handler = endpoint(routes['reporting/list-alerts'], ({ params, user }) =>
  listAlerts(user, params.project_id),
);
