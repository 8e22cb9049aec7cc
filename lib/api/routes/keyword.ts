/** Operations on keyword data, and on the places and engines that requests name. */
import * as v from 'valibot';
import { described } from '../../model/described.ts';
import { EngineParams, ListSearchEngine } from '../../model/engine-configuration.ts';
import {
  CreatedOnQuery,
  IdeasRequest,
  KeywordDataBatch,
  KeywordListQuery,
  LiveVolumeRequest,
} from '../../model/keyword-request.ts';
import { IdeasTask, KeywordDataTask, ListKeywordDataTask, LiveVolume } from '../../model/keyword-task.ts';
import { LocationList, LocationQuery } from '../../model/place.ts';
import { PathId } from '../../model/scalar.ts';
import { SuggestReply, SuggestRequest } from '../../model/suggest.ts';
import { TrendsReply, TrendsRequest } from '../../model/trends.ts';
import { WebhookTest, WebhookTestResult } from '../../model/webhook-test.ts';
import { RawResponse, type Route } from '../route.ts';

/** A day. The list changes only with a release of the service. */
const engineListSeconds = 86_400;

const shared =
  'The answer may be an earlier one to the same request: the header `x-cache` says `hit` or `miss`, `age` its age in seconds. If the source ' +
  'fails, the response is 502, or 503 with `Retry-After`, never an empty list.';

const shownAge = {
  'x-cache': '`hit`: an earlier answer was used again. `miss`: the source was asked',
  age: 'Seconds since the source gave the answer',
};

const TaskParams = v.object({
  task_id: described(PathId, 'The id of the task', 3767392204849152),
});

/** Live calls in the form of another service (`docs/api/existing-clients.md`). */
const dataforseo = {
  method: 'POST',
  auth: 'form',
  query: v.record(v.string(), v.string()),
  body: v.optional(v.unknown()),
  asksSource: true,
  reply: RawResponse,
  returns: 'The answer in the form of DataForSEO',
  response: { status: 200, type: 'application/json' },
  inFormOf: 'DataForSEO',
} as const;

const readDataforseo = {
  method: 'GET',
  auth: 'form',
  query: dataforseo.query,
  reply: RawResponse,
  returns: dataforseo.returns,
  response: dataforseo.response,
  inFormOf: 'DataForSEO',
} as const;

const FunctionParams = v.object({ function: v.string() });

export const keywordRoutes = {
  'keyword/create-volume-tasks': {
    method: 'POST',
    path: '/api/v1/keyword-sv',
    auth: 'bearer',
    summary: 'Queue up to 1,000 keywords for their search volume',
    description:
      'Each keyword is a task. The batch is accepted or rejected as a whole. The tasks are returned in the order of the keywords. Poll a task ' +
      'by its id for the result, or receive it at `postback_url`.',
    body: KeywordDataBatch,
    delivers: true,
    creates: true,
    reply: v.array(KeywordDataTask),
    returns: 'The accepted tasks, with status `awaiting`',
  },
  'keyword/list-volume-tasks': {
    method: 'GET',
    path: '/api/v1/keyword-sv',
    auth: 'bearer',
    summary: 'List keyword tasks',
    description:
      'Lists the tasks in one status, newest first. A cursor works only with the `status` that it was returned for.',
    query: KeywordListQuery,
    reply: ListKeywordDataTask,
    envelope: 'items',
    returns: 'A page of the list',
  },
  'keyword/read-volume-task': {
    method: 'GET',
    path: '/api/v1/keyword-sv/{task_id}',
    auth: 'bearer',
    summary: 'Read a keyword task',
    description:
      'The task includes its result once its status is `success`. Tasks expire 24 hours after their creation.',
    params: TaskParams,
    query: CreatedOnQuery,
    reply: KeywordDataTask,
    returns: 'The task',
  },
  'keyword/find-volumes': {
    method: 'POST',
    path: '/api/v1/keyword-sv/live',
    auth: 'bearer',
    summary: 'Find the search volume of up to 1,000 keywords',
    description:
      'The figures are those of Google Ads, or stored ones of the last 24 hours: the header `x-cache` is `hit`, `partial` or `miss`, and `age` has ' +
      'the seconds since the oldest were stored. If the source gives no data, the response is 502, or 503 with `Retry-After`.',
    body: LiveVolumeRequest,
    asksSource: true,
    reply: LiveVolume,
    returns: 'The figures, in the order of the keywords',
    replyHeaders: {
      'x-cache':
        '`hit`: all figures were stored by earlier requests. `partial`: some of them. `miss`: none. The header `age` then has the seconds since the oldest were stored',
    },
  },
  'keyword/create-ideas-task': {
    method: 'POST',
    path: '/api/v1/keyword-research/ideas',
    auth: 'bearer',
    summary: 'Queue a request for keyword ideas',
    description:
      'Returns the accepted task immediately. Its `results` are empty until it has succeeded. Poll the task by its id, or receive it at `postback_url`.',
    body: IdeasRequest,
    delivers: true,
    creates: true,
    reply: IdeasTask,
    returns: 'The accepted task, with status `awaiting`',
  },
  'keyword/read-ideas-task': {
    method: 'GET',
    path: '/api/v1/keyword-research/ideas/{task_id}',
    auth: 'bearer',
    summary: 'Read a task of keyword ideas',
    description:
      'The task includes its ideas once its status is `success`. Tasks expire 24 hours after their creation.',
    params: TaskParams,
    reply: IdeasTask,
    returns: 'The task',
  },
  'keyword/find-locations': {
    method: 'GET',
    path: '/api/v1/common/locations',
    auth: 'bearer',
    summary: 'Find the names of places',
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
    searches: true,
    reply: SuggestReply,
    returns: 'The suggestions',
    replyHeaders: shownAge,
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
    searches: true,
    reply: TrendsReply,
    returns: 'The trends, in the form that belongs to the request',
    replyHeaders: shownAge,
    asksSource: true,
  },
  // The function of this area can wait for a receiver, and has the code that calls other servers.
  'keyword/test-webhook': {
    method: 'POST',
    path: '/api/v1/webhooks/test',
    auth: 'bearer',
    summary: 'Send a sample webhook to your receiver',
    description:
      'Posts the example of a payload once, signed with your webhook secret, and answers with what the receiver did. The header ' +
      '`x-webhook-test: true` tells it that the task does not exist. At most 50 calls wait at a time. Mails: 10 in 10 minutes.',
    body: WebhookTest,
    delivers: true,
    reply: WebhookTestResult,
    returns: 'The answer of the receiver, also if it refused the sample',
    failures: [429],
  },
  'keyword/find-dataforseo-volumes': {
    ...dataforseo,
    path: '/compat/dataforseo/v3/keywords_data/google_ads/search_volume/live',
    summary: 'Find search volumes in the form of DataForSEO',
  },
  'keyword/explore-dataforseo-trends': {
    ...dataforseo,
    path: '/compat/dataforseo/v3/keywords_data/google_trends/explore/live',
    summary: 'Read the trends of a keyword in the form of DataForSEO',
  },
  'keyword/find-dataforseo-ideas': {
    ...dataforseo,
    path: '/compat/dataforseo/v3/keywords_data/google_ads/keywords_for_keywords/live',
    summary: 'Find keyword ideas in the form of DataForSEO',
  },
  'keyword/post-dataforseo-keywords': {
    ...dataforseo,
    path: '/compat/dataforseo/v3/keywords_data/google_ads/{function}/task_post',
    summary: 'Queue keyword data in the form of DataForSEO',
    params: FunctionParams,
  },
  'keyword/list-dataforseo-keywords': {
    ...readDataforseo,
    path: '/compat/dataforseo/v3/keywords_data/google_ads/{function}/tasks_ready',
    summary: 'List the keyword data that is ready in the form of DataForSEO',
    params: FunctionParams,
  },
  'keyword/read-dataforseo-keywords': {
    ...readDataforseo,
    path: '/compat/dataforseo/v3/keywords_data/google_ads/{function}/task_get/{id}',
    summary: 'Read keyword data in the form of DataForSEO',
    params: v.object({ function: v.string(), id: v.string() }),
  },
} as const satisfies Record<`keyword/${string}`, Route>;
