/** Returns the progress of a batch of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { batchRoutes as routes } from '../../../lib/api/routes/batches.ts';
import { readBatchProgress } from '../../../lib/crawl/read-batch.ts';

export const handler = endpoint(routes['serp/read-batch'], ({ params, user }) =>
  readBatchProgress(user, params.batch_id),
);
