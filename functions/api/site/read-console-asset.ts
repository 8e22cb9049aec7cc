/** Returns a script, style sheet or image of the console. */
import { consoleAsset } from '../../../lib/api/console.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = openEndpoint(routes['site/read-console-asset'], ({ params }) =>
  consoleAsset(params.asset),
);
