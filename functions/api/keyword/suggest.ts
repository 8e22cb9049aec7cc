/** Returns what an engine suggests for a keyword. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { suggest } from '../../../lib/keyword/web/suggest.ts';

export const handler = endpoint(routes['keyword/suggest'], async ({ body, user, response }) => {
  const { value, age } = await suggest(user, body);
  Object.assign(response.headers, age);
  return { suggestions: value };
});
