/** Sends a sample webhook to a receiver of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';

export const handler = endpoint(routes['keyword/test-webhook'], async ({ body, user }) => {
  // Imported on demand: few requests send a webhook, but its HTTP client would slow down every cold start.
  const { sendSample } = await import('../../../lib/postback/send-sample.ts');
  return sendSample(user, body);
});
