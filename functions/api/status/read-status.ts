/** Returns the state of the engines, their fetchers and the queues. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { statusRoutes as routes } from '../../../lib/api/routes/status.ts';
import { readStatus } from '../../../lib/status/read-status.ts';

export const handler = endpoint(routes['status/read-status'], () => readStatus());
