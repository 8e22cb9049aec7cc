/** Lists the configurations of an engine: countries, languages and devices. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { listEngines } from '../../../lib/place/engine-list.ts';

export const handler = endpoint(routes['keyword/list-engines'], ({ params }) => listEngines(params.system));
