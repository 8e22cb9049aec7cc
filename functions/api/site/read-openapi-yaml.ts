/** Returns the OpenAPI document as YAML, with the address of the request as its server. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { openapiYaml } from '../../../lib/reference/docs.ts';

export const handler = openEndpoint(routes['site/read-openapi-yaml'], ({ request }) =>
  openapiYaml(request.baseUrl),
);
