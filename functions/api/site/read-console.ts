/** Returns the page of the console. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { consolePage } from '../../../lib/reference/console.ts';

export const handler = openEndpoint(routes['site/read-console'], ({ request }) => consolePage(request.path));
