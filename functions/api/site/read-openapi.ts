/** Answers the description of the interface, with this very address as its server. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { openapi } from '../../../lib/api/openapi.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = openEndpoint(routes['site/read-openapi'], ({ request }) => openapi(request.baseUrl));
