/** Searches in the form of SearXNG, at the address of the instance, with a form. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { askSearxng, pageOf, searxngDialect } from '../../../lib/compat/searxng/searxng.ts';

export const handler = dialectEndpoint(
  routes['compat/search-searxng-by-form'],
  searxngDialect,
  ({ params, query, body, user, request }) =>
    askSearxng(pageOf(params.key), { query, body }, { user, baseUrl: request.baseUrl }),
);
