/** Returns the page of the console. */
import { consolePage } from '../../../lib/api/console.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = openEndpoint(routes['site/read-console'], ({ request }) => consolePage(request.path));
