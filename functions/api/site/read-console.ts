/** Returns the page of the console. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { consolePage } from '../../../lib/reference/console.ts';

export const handler = openEndpoint(routes['site/read-console'], ({ request }) => consolePage(request.path));
