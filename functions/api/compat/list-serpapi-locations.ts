/** Lists places in the form of SerpApi. */
import { openDialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { listSerpapiLocations, serpapiDialect } from '../../../lib/compat/serpapi/serpapi.ts';

export const handler = openDialectEndpoint(
  routes['compat/list-serpapi-locations'],
  serpapiDialect,
  ({ query }) => listSerpapiLocations(query),
);
