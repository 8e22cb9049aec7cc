/** Returns whether the parts of the service answer. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { statusRoutes as routes } from '../../../lib/api/routes/status.ts';
import { checkHealth } from '../../../lib/status/health.ts';

export const handler = openEndpoint(routes['status/read-health'], () => checkHealth());
