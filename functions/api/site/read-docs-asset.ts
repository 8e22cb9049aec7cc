/** Returns a script, style sheet or image of the documentation page. */
import { docsAsset } from '../../../lib/api/docs.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = openEndpoint(routes['site/read-docs-asset'], ({ params }) => docsAsset(params.asset));
