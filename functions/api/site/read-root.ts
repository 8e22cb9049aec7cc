/** Returns the name of the service, the links to its documentation, and whether its results are real. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { siteRoutes as routes } from '../../../lib/api/routes/site.ts';
import { version } from '../../../lib/model/version.ts';
import { setting } from '../../../lib/runtime/env.ts';

export const handler = openEndpoint(routes['site/read-root'], ({ request }) => {
  const isLive = setting('SEARCH_SOURCE') === 'live';
  return {
    name: 'Search Ranking and Keyword Data Service',
    version,
    docs: `${request.baseUrl}/docs`,
    openapi: `${request.baseUrl}/openapi.json`,
    reference: `${request.baseUrl}/docs/index.md`,
    llms: `${request.baseUrl}/llms.txt`,
    search_source: isLive ? 'live' : 'sandbox',
    notice: isLive
      ? 'Results come from the search engines.'
      : 'SANDBOX: every result is invented. Set SEARCH_SOURCE=live for results of the search engines.',
  };
});
