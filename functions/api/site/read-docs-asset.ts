/** Returns a page of the documentation, or one of its files. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { docsAsset } from '../../../lib/reference/docs.ts';

export const handler = openEndpoint(routes['site/read-docs-asset'], ({ params, request }) =>
  docsAsset(params.asset, request.path),
);
