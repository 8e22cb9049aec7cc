/** The area `status`: whether the service works. */
import { area } from '../../lib/api/area.ts';
import { handler as readHealth } from './status/read-health.ts';
import { handler as readStatus } from './status/read-status.ts';

export const handler = area([readHealth, readStatus]);
