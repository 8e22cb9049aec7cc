/** Finds the search volume of keywords while the caller waits. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { findLiveVolumes } from '../../../lib/keyword/ads/live-volume.ts';

export const handler = endpoint(routes['keyword/find-volumes'], async ({ body, user, response }) => {
  const found = await findLiveVolumes(user, body);
  Object.assign(response.headers, found.headers);
  return found.body;
});
