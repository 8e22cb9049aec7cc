/** Returns the first page of the documentation. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { docsPage } from '../../../lib/reference/docs.ts';

export const handler = openEndpoint(routes['site/read-docs'], ({ request }) =>
  docsPage('index', request.path),
);
