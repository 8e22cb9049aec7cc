/** Returns the list of the pages of the reference for language models. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { llmsText } from '../../../lib/reference/pages.ts';

export const handler = openEndpoint(routes['site/read-llms'], ({ request }) => llmsText(request.baseUrl));
