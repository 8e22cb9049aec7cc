/** Returns whether the parts of the service answer. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { checkHealth } from '../../../lib/status/health.ts';

export const handler = openEndpoint(routes['status/read-health'], () => checkHealth());
