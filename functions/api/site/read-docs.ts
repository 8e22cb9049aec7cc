/** Returns the documentation page. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { docsPage } from '../../../lib/reference/docs.ts';

export const handler = openEndpoint(routes['site/read-docs'], ({ request }) => docsPage(request.path));
