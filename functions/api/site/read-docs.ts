/** Answers the page that shows the interface. */
import { docsPage } from '../../../lib/api/docs.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = endpoint(routes['site/read-docs'], ({ request }) => docsPage(request.path));
