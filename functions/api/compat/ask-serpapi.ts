/** Answers a page of SerpApi. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { askSerpapi, serpapiDialect } from '../../../lib/compat/serpapi/serpapi.ts';

export const handler = dialectEndpoint(
  routes['compat/ask-serpapi'],
  serpapiDialect,
  ({ params, query, user, request }) => askSerpapi(params.page, query, { user, baseUrl: request.baseUrl }),
);
