/** Returns the first page of the documentation. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { docsPage } from '../../../lib/reference/docs.ts';

export const handler = openEndpoint(routes['site/read-docs'], ({ request }) =>
  docsPage('index', request.path),
);
