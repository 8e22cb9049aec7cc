/** Operations on search result tasks and their stored pages. */
import * as v from 'valibot';
import {
  CrawlBatch,
  CrawlRequest,
  crawlBodies,
  GoogleCrawlBatch,
  GoogleCrawlRequest,
  SystemParams,
} from '../../model/crawl-request.ts';
import { GoogleSerpTask } from '../../model/google-serp-task.ts';
import { LocationList, LocationQuery } from '../../model/place.ts';
import { PathId } from '../../model/scalar.ts';
import { CrawlHTML, PageQuery, SerpTask } from '../../model/serp-task.ts';
import { RawResponse, type Route } from '../route.ts';

const TaskParams = v.object({ task_id: PathId });

const bodiesFor = (params: unknown) => crawlBodies[v.parse(SystemParams, params).system_name];

export const serpRoutes = {
  'serp/create-task': {
    method: 'POST',
    path: '/api/v1/serp/{system_name}/crawl',
    auth: 'bearer',
    summary: 'Queue a crawl',
    description:
      'Returns the accepted task immediately. Poll the task by its id for the result, or receive it at `postback_url`. Reads the first ' +
      'page of results, or ten pages if the request has a `domain`.',
    params: SystemParams,
    body: CrawlRequest,
    bodyFor: (params) => bodiesFor(params).one,
    delivers: true,
    reply: SerpTask,
    returns: 'The accepted task, with status `awaiting`',
  },
  'serp/create-batch': {
    method: 'POST',
    path: '/api/v1/serp/crawl/{system_name}/batch',
    auth: 'bearer',
    summary: 'Queue up to 1,000 crawls',
    description:
      'The batch is accepted or rejected as a whole. The tasks are returned in the order of the requests.',
    params: SystemParams,
    body: CrawlBatch,
    bodyFor: (params) => bodiesFor(params).batch,
    delivers: true,
    reply: v.array(SerpTask),
    returns: 'The accepted tasks, with status `awaiting`',
  },
  'serp/read-task': {
    method: 'GET',
    path: '/api/v1/serp/crawl/{task_id}',
    auth: 'bearer',
    summary: 'Read a task',
    description:
      'The task includes its result once its status is `success`. Tasks expire 24 hours after their creation.',
    params: TaskParams,
    reply: SerpTask,
    returns: 'The task',
  },
  'serp/read-html': {
    method: 'GET',
    path: '/api/v1/serp/crawl/{task_id}/html',
    auth: 'bearer',
    summary: 'Read the stored HTML of a task',
    description:
      'Works for tasks of both versions. `page` is the number of the page. The HTML is untrusted: do not render it on your own origin.',
    params: TaskParams,
    query: PageQuery,
    reply: CrawlHTML,
    returns: 'The HTML of the page as it was fetched',
  },
  'serp/create-google-task': {
    method: 'POST',
    path: '/api/v2/serp/crawl',
    auth: 'bearer',
    summary: 'Queue a Google crawl',
    description:
      'Returns the accepted task immediately. Poll the task by its id for the result, or receive it at `postback_url`.',
    body: GoogleCrawlRequest,
    delivers: true,
    reply: GoogleSerpTask,
    returns: 'The accepted task, with status `awaiting`',
  },
  'serp/create-google-batch': {
    method: 'POST',
    path: '/api/v2/serp/crawl/google/batch',
    auth: 'bearer',
    summary: 'Queue up to 1,000 Google crawls',
    description:
      'The batch is accepted or rejected as a whole. The tasks are returned in the order of the requests.',
    body: GoogleCrawlBatch,
    delivers: true,
    reply: v.array(GoogleSerpTask),
    returns: 'The accepted tasks, with status `awaiting`',
  },
  'serp/read-google-task': {
    method: 'GET',
    path: '/api/v2/serp/crawl/{task_id}',
    auth: 'bearer',
    summary: 'Read a Google task',
    description:
      'The task includes its result once its status is `success`. Tasks expire 24 hours after their creation.',
    params: TaskParams,
    reply: GoogleSerpTask,
    returns: 'The task',
  },
  'serp/find-locations': {
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
  'serp/open-page': {
    method: 'GET',
    path: '/pages/{token}',
    auth: 'none',
    summary: 'Open the stored page of a webhook link',
    description:
      'Redirects to a short-lived link to the stored HTML. Needs no key. The token expires after 24 hours.',
    params: v.object({ token: v.string() }),
    reply: RawResponse,
    returns: 'Redirect to the stored page',
    response: { status: 302 },
  },
  'serp/receive-pingback': {
    method: 'GET',
    path: '/upstream/{token}',
    auth: 'none',
    summary: 'Tell the service that a search is ready',
    description:
      'Only for the upstream provider of searches, which learns the token with the search. Needs no key. A repeated call changes nothing.',
    params: v.object({
      token: v.pipe(v.string(), v.description('The unguessable part of the URL that the provider got')),
    }),
    reply: v.object({
      received: v.pipe(v.literal(true), v.description('The service collects the pages of the search')),
    }),
    returns: 'The call is stored',
  },
} as const satisfies Record<`serp/${string}`, Route>;
