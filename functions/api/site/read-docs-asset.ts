/** Returns a script, style sheet or image of the documentation page. */

import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { docsAsset } from '../../../lib/reference/docs.ts';

export const handler = openEndpoint(routes['site/read-docs-asset'], ({ params }) => docsAsset(params.asset));
