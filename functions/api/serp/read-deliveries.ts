/** Returns the attempts at the webhook of a task of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { readDeliveries } from '../../../lib/task/deliveries.ts';

export const handler = endpoint(routes['serp/read-deliveries'], ({ params, user }) =>
  readDeliveries(user, { id: params.task_id, api: 'v1' }),
);
