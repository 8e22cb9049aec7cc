/** Replaces the webhook secret of the caller. */
import { rotateWebhookSecret } from '../../../lib/access/webhook-secret.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/rotate-webhook-secret'], ({ user, query }) =>
  rotateWebhookSecret(user, query.grace),
);
