/** Returns the documentation page. */
import { docsPage } from '../../../lib/api/docs.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = openEndpoint(routes['site/read-docs'], ({ request }) => docsPage(request.path));
