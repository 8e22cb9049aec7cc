/** Operations on search result tasks and their stored pages. */
import * as v from 'valibot';
import { CrawlRequest, crawlBodies, GoogleCrawlRequest, SystemParams } from '../../model/crawl-request.ts';
import { Deliveries } from '../../model/deliveries.ts';
import { described } from '../../model/described.ts';
import { FormHeaders, FormQuery, textTypes } from '../../model/forms.ts';
import { PathId } from '../../model/scalar.ts';
import { Usage } from '../../model/usage.ts';
import { CrawlHTML, ListQuery, PageQuery, V1Task, V1TaskList } from '../../model/v1-task.ts';
import { V2Task, WaitQuery } from '../../model/v2-task.ts';
import { GoogleListQuery, V2TaskList } from '../../model/v2-task-list.ts';
import { RawResponse, type Route } from '../route.ts';

const TaskParams = v.object({ task_id: described(PathId, 'The id of the task', 3767392204849152) });

/** Media types of the forms of a task besides JSON. */
const textForms = Object.values(textTypes).map(([type]) => type);

/** Of a task that the request may wait for. */
const AwaitedQuery = v.object({ ...WaitQuery.entries, ...FormQuery.entries });

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
    searches: true,
    bodyFor: (params) => bodiesFor(params).one,
    delivers: true,
    creates: true,
    reply: V1Task,
    returns: 'The accepted task, with status `awaiting`',
  },
  'serp/create-live-task': {
    method: 'POST',
    path: '/api/v1/serp/{system_name}/crawl/live',
    auth: 'bearer',
    summary: 'Crawl and wait for the result',
    description:
      'Returns the task when it has ended, with its result or with `error_message`. After 25 seconds, or if the search cannot run in this ' +
      'time because its engine is busy, the task is returned as it is. It then continues: poll it by its id. The task is also delivered to ' +
      '`postback_url`.',
    params: SystemParams,
    body: CrawlRequest,
    searches: true,
    bodyFor: (params) => bodiesFor(params).one,
    delivers: true,
    creates: true,
    reply: V1Task,
    returns: 'The task',
  },
  'serp/list-tasks': {
    method: 'GET',
    path: '/api/v1/serp/crawl',
    auth: 'bearer',
    summary: 'List tasks',
    description:
      'Lists the tasks of v1 in one status, newest first. A page has fewer tasks if their results are large, or if the user ' +
      'has very many tasks in other states; the list ends where `cursor` is null. A cursor works only with the `status` that it was returned for.',
    query: ListQuery,
    reply: V1TaskList,
    envelope: 'items',
    returns: 'A page of the list',
  },
  'serp/read-task': {
    method: 'GET',
    path: '/api/v1/serp/crawl/{task_id}',
    auth: 'bearer',
    summary: 'Read a task',
    description:
      'The task includes its result once its status is `success`. Tasks expire 24 hours after their creation.',
    params: TaskParams,
    query: FormQuery,
    headers: FormHeaders,
    forms: textForms,
    reply: V1Task,
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
      'Returns the accepted task immediately. Poll the task by its id for the result, or receive it at `postback_url`. `fields`, `format` ' +
      'and `for` choose the form of the response, as in `GET /api/v2/serp/crawl/{task_id}`.',
    query: AwaitedQuery,
    inProse: Object.keys(FormQuery.entries),
    body: GoogleCrawlRequest,
    searches: true,
    delivers: true,
    creates: true,
    reply: V2Task,
    returns: 'The accepted task, with status `awaiting`; with `wait`, the task at the end of the wait',
  },
  'serp/list-google-tasks': {
    method: 'GET',
    path: '/api/v2/serp/crawl',
    auth: 'bearer',
    summary: 'List Google tasks',
    description:
      'Lists the tasks of v2 that pass all filters, newest first. A page has fewer tasks if their results are large, or if the ' +
      'user has very many other tasks; the list ends where `cursor` is null. A cursor works only with the filters that it was returned for.',
    query: GoogleListQuery,
    reply: V2TaskList,
    envelope: 'items',
    returns: 'A page of the list',
  },
  'serp/read-google-task': {
    method: 'GET',
    path: '/api/v2/serp/crawl/{task_id}',
    auth: 'bearer',
    summary: 'Read a Google task',
    description:
      'The task includes its result once its status is `success`. Tasks expire 24 hours after their creation.',
    params: TaskParams,
    query: AwaitedQuery,
    headers: FormHeaders,
    forms: textForms,
    reply: V2Task,
    returns: 'The task',
  },
  'serp/read-deliveries': {
    method: 'GET',
    path: '/api/v1/serp/crawl/{task_id}/deliveries',
    auth: 'bearer',
    summary: 'Read the attempts at the webhook of a task',
    description: 'Each attempt with its time, its status or error, and how long it took.',
    params: TaskParams,
    reply: Deliveries,
    returns: 'The state of the webhook, and its attempts',
  },
  'serp/send-postback': {
    method: 'POST',
    path: '/api/v1/serp/crawl/{task_id}/postback',
    auth: 'bearer',
    summary: 'Send the webhook of a task again',
    description:
      'Works for webhooks that were delivered and for those that failed five times. The webhook has the same `webhook-id` as before, and is ' +
      'retried as before. It can be sent again 20 times.',
    params: TaskParams,
    conflict: 'The task has no `postback_url`, is not final, or has a delivery under way',
    reply: Deliveries,
    returns: 'The state of the webhook before its next attempt',
  },
  'serp/read-google-deliveries': {
    method: 'GET',
    path: '/api/v2/serp/crawl/{task_id}/deliveries',
    auth: 'bearer',
    summary: 'Read the attempts at the webhook of a Google task',
    description: 'Each attempt with its time, its status or error, and how long it took.',
    params: TaskParams,
    reply: Deliveries,
    returns: 'The state of the webhook, and its attempts',
  },
  'serp/send-google-postback': {
    method: 'POST',
    path: '/api/v2/serp/crawl/{task_id}/postback',
    auth: 'bearer',
    summary: 'Send the webhook of a Google task again',
    description:
      'Works for webhooks that were delivered and for those that failed five times. The webhook has the same `webhook-id` as before, and is ' +
      'retried as before. It can be sent again 20 times.',
    params: TaskParams,
    conflict: 'The task has no `postback_url`, is not final, or has a delivery under way',
    reply: Deliveries,
    returns: 'The state of the webhook before its next attempt',
  },
  'serp/read-usage': {
    method: 'GET',
    path: '/api/v1/usage',
    auth: 'bearer',
    summary: 'Read your searches of the last 24 hours and their cost',
    description:
      'Counts the tasks of both versions that have not expired, by engine. The dollars are an estimate: what AWS bills for such searches.',
    reply: Usage,
    returns: 'The counts and the dollars',
  },
  'serp/open-page': {
    method: 'GET',
    path: '/pages/{token}',
    auth: 'none',
    summary: 'Open the stored page of a webhook link',
    description:
      'Redirects to a short-lived link to the stored HTML. Needs no key. The token expires after 24 hours.',
    params: v.object({ token: described(v.string(), 'The token of the link', '1.1796083200.aHRtbC9h.AAAA') }),
    reply: RawResponse,
    returns: 'Redirect to the stored page',
    response: {
      status: 302,
      target: { description: 'The page, for a client that follows the redirect', types: ['text/html'] },
    },
  },
  'serp/receive-pingback': {
    method: 'GET',
    path: '/upstream/{token}',
    auth: 'none',
    isForProvider: true,
    summary: 'Tell the service that a search is ready',
    description:
      'Only for the upstream provider of searches, which learns the token with the search. Needs no key. A repeated call changes nothing.',
    params: v.object({
      token: described(
        v.string(),
        'The unguessable part of the URL that the provider got',
        '1.1796083200.aHRtbC9h.AAAA',
      ),
    }),
    reply: v.object({
      received: described(v.literal(true), 'The service collects the pages of the search', true),
    }),
    returns: 'The call is stored',
  },
} as const satisfies Record<`serp/${string}`, Route>;
