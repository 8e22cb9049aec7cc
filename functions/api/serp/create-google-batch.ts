/** Queues many Google crawls, all or none, and returns the waiting tasks in the same order. */
import { countPages } from '../../../lib/access/rate.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { createTasks } from '../../../lib/crawl/create.ts';
import { defaultEngine, pageCount } from '../../../lib/model/engine.ts';

export const handler = endpoint(routes['serp/create-google-batch'], async ({ body, user, request }) => {
  await countPages(
    user,
    body.reduce((pages, { depth }) => pages + pageCount(defaultEngine, depth), 0),
  );
  return createTasks(user, body, request.baseUrl);
});
