/** Returns a script, style sheet or image of the console. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { consoleAsset } from '../../../lib/reference/console.ts';

export const handler = openEndpoint(routes['site/read-console-asset'], ({ params }) =>
  consoleAsset(params.asset),
);
