/** Returns the progress of a batch of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { readBatchProgress } from '../../../lib/crawl/read-batch.ts';

export const handler = endpoint(routes['serp/read-batch'], ({ params, user }) =>
  readBatchProgress(user, params.batch_id),
);
