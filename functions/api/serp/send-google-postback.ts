/** Sends the webhook of a Google task of the caller again. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { sendAgain } from '../../../lib/task/deliveries.ts';

export const handler = endpoint(routes['serp/send-google-postback'], ({ params, user }) =>
  sendAgain(user, { id: params.task_id, api: 'v2' }),
);
