/** Operations on keyword data, and on the places and engines that requests name. */
import { LocationList, LocationQuery } from '../../model/place.ts';
import type { Route } from '../route.ts';

export const keywordRoutes = {
  'keyword/find-locations': {
    method: 'GET',
    path: '/api/v1/common/locations',
    auth: 'bearer',
    summary: 'Find places for `location_name`',
    description:
      'Finds countries, regions and cities of 15,000 people and more whose name, or a word of it, begins with `q`. Case and diacritics ' +
      'are ignored. Returns at most 20 places, best match first. Place data: GeoNames (geonames.org), CC BY 4.0.',
    query: LocationQuery,
    reply: LocationList,
    returns: 'The places; `name` is what `location_name` takes',
  },
} as const satisfies Record<`keyword/${string}`, Route>;
