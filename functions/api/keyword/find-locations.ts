/** Finds places by the beginning of a word, for `location_name`. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { searchPlaces } from '../../../lib/place/search.ts';

export const handler = endpoint(routes['keyword/find-locations'], ({ query }) => searchPlaces(query));
