/** Returns the caller's searches of the last 24 hours and their cost. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { serpRoutes as routes } from '../../../lib/api/routes/serp.ts';
import { readUsage } from '../../../lib/crawl/read-usage.ts';

export const handler = endpoint(routes['serp/read-usage'], ({ user }) => readUsage(user));
