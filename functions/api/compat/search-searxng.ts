/** Searches in the form of SearXNG, at the address of the instance. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { askSearxng, pageOf, searxngDialect } from '../../../lib/compat/searxng/searxng.ts';

export const handler = dialectEndpoint(
  routes['compat/search-searxng'],
  searxngDialect,
  ({ params, query, user, request }) =>
    askSearxng(pageOf(params.key), { query }, { user, baseUrl: request.baseUrl }),
);
