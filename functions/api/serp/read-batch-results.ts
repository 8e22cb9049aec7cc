/** Redirects to the results of a batch of the caller, as one file. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { batchRoutes as routes } from '../../../lib/api/routes/batches.ts';
import { batchResultsUrl } from '../../../lib/crawl/batch-results.ts';

export const handler = endpoint(
  routes['serp/read-batch-results'],
  async ({ params, query, headers, user }) => ({
    statusCode: 302,
    headers: { Location: await batchResultsUrl(user, params.batch_id, { query, headers }) },
  }),
);
