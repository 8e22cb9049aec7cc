/** Sends the webhook of an alert of the caller again. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { sendAlertAgain } from '../../../lib/reporting/manage/alert-deliveries.ts';

export const handler = endpoint(routes['reporting/send-alert-postback'], ({ params, user }) =>
  sendAlertAgain(user, params),
);
