/** Searches in the form of Serper, with a query string. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { askSerper, serperDialect } from '../../../lib/compat/serper/serper.ts';

export const handler = dialectEndpoint(
  routes['compat/ask-serper-by-query'],
  serperDialect,
  ({ params, query, user, request }) =>
    askSerper(params.kind, undefined, query, { user, baseUrl: request.baseUrl }),
);
