/** Operations on keyword data, and on the places and engines that requests name. */
import { LocationList, LocationQuery } from '../../model/place.ts';
import { EngineParams, ListSearchEngine } from '../../model/search-engine.ts';
import { SuggestReply, SuggestRequest } from '../../model/suggest.ts';
import { TrendsReply, TrendsRequest } from '../../model/trends.ts';
import type { Route } from '../route.ts';

/** A day. The list changes only with a release of the service. */
const engineListSeconds = 86_400;

const shared =
  'The answer may be an earlier one to the same request: the header `x-cache` says `hit` or `miss`, `age` its age in seconds. If the source ' +
  'fails, the response is 502, or 503 with `Retry-After`, never an empty list.';

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
  'keyword/list-engines': {
    method: 'GET',
    path: '/api/v1/common/engines/{system}',
    auth: 'bearer',
    permission: 'engines',
    summary: 'List the engine configurations',
    description:
      'Every country that the engine serves, with the languages that are used there and both devices. The fields of a row are those of a ' +
      'crawl request: `country_name` is `location_name`, `localization` is `language_code`, `type_name` is `device`. Language data: Unicode CLDR.',
    params: EngineParams,
    reply: ListSearchEngine,
    returns: 'All configurations of the engine',
    cacheSeconds: engineListSeconds,
  },
  'keyword/suggest': {
    method: 'POST',
    path: '/api/v1/keyword-research/suggest/live',
    auth: 'bearer',
    summary: 'Suggest completions of a keyword',
    description: `What the engine suggests to a person who types the keyword, now. ${shared}`,
    body: SuggestRequest,
    reply: SuggestReply,
    returns: 'The suggestions',
    asksSource: true,
  },
  'keyword/trends': {
    method: 'POST',
    path: '/api/v1/keyword-research/trends/live',
    auth: 'bearer',
    summary: 'Read trends of a keyword or of a country',
    description:
      'With `keyword`: the interest in it over the last twelve months, and related queries. Without it: what people in the country search ' +
      `for today more than usual. The data are those of Google Trends. ${shared}`,
    body: TrendsRequest,
    reply: TrendsReply,
    returns: 'The trends, in the form that belongs to the request',
    asksSource: true,
  },
} as const satisfies Record<`keyword/${string}`, Route>;
