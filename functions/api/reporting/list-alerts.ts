/** Lists the alerts of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { listAlerts } from '../../../lib/reporting/manage/alert-deliveries.ts';

export const handler = endpoint(routes['reporting/list-alerts'], ({ params, user }) =>
  listAlerts(user, params.project_id),
);
