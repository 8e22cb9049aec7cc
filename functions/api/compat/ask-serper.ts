/** Searches in the form of Serper. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { askSerper, serperDialect } from '../../../lib/compat/serper/serper.ts';

export const handler = dialectEndpoint(
  routes['compat/ask-serper'],
  serperDialect,
  ({ params, body, query, user, request }) =>
    askSerper(params.kind, body, query, { user, baseUrl: request.baseUrl }),
);
