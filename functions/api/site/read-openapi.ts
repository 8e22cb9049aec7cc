/** Returns the OpenAPI document, with the address of the request as its server. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { openapi } from '../../../lib/reference/openapi.ts';

export const handler = openEndpoint(routes['site/read-openapi'], ({ request }) => openapi(request.baseUrl));
