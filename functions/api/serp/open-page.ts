/** Redirects the `html_url` of a webhook to the stored page. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { openPage } from '../../../lib/crawl/open-page.ts';

export const handler = endpoint(routes['serp/open-page'], async ({ params }) => ({
  statusCode: 302,
  headers: { Location: await openPage(params.token) },
}));
