/** Returns the state of the engines, their fetchers and the queues. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { readStatus } from '../../../lib/status/read-status.ts';

export const handler = endpoint(routes['status/read-status'], () => readStatus());
