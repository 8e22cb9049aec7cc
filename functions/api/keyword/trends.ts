/** Returns the trends of a keyword, or the trending searches of a country. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { trends } from '../../../lib/keyword/web/trends.ts';

export const handler = endpoint(routes['keyword/trends'], async ({ body, user, response }) => {
  const { value, age } = await trends(user, body);
  Object.assign(response.headers, age);
  return value;
});
