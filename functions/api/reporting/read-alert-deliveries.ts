/** Returns the attempts at the webhook of an alert of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readAlertDeliveries } from '../../../lib/reporting/manage/alert-deliveries.ts';

export const handler = endpoint(routes['reporting/read-alert-deliveries'], ({ params, user }) =>
  readAlertDeliveries(user, params),
);
