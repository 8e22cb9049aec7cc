/** Reads a search in the form of SerpApi. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { readSerpapi, serpapiDialect } from '../../../lib/compat/serpapi/serpapi.ts';

export const handler = dialectEndpoint(
  routes['compat/read-serpapi'],
  serpapiDialect,
  ({ params, query, user, request }) => readSerpapi(params.file, query, { user, baseUrl: request.baseUrl }),
);
