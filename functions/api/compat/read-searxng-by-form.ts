/** Searches in the form of SearXNG, with a form. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { askSearxng, searxngDialect } from '../../../lib/compat/searxng/searxng.ts';

export const handler = dialectEndpoint(
  routes['compat/read-searxng-by-form'],
  searxngDialect,
  ({ params, query, body, user, request }) =>
    askSearxng(params.page, { query, body }, { user, baseUrl: request.baseUrl }),
);
