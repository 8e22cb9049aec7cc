/** Answers a file of the page that shows the interface. */
import { docsAsset } from '../../../lib/api/docs.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = endpoint(routes['site/read-docs-asset'], ({ params }) => docsAsset(params.asset));
