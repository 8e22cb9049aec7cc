/** Answers a page of SearXNG. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { askSearxng, searxngDialect } from '../../../lib/compat/searxng/searxng.ts';

export const handler = dialectEndpoint(
  routes['compat/read-searxng'],
  searxngDialect,
  ({ params, query, user, request }) =>
    askSearxng(params.page, { query }, { user, baseUrl: request.baseUrl }),
);
