/** Receives the call of the upstream provider that a search is ready. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { receivePingback } from '../../../lib/crawl/receive-pingback.ts';

export const handler = endpoint(routes['serp/receive-pingback'], async ({ params }) => {
  await receivePingback(params.token);
  return { received: true } as const;
});
