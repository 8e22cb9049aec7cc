/** Operations in the forms of other services (`docs/api/existing-clients.md`). */
import * as v from 'valibot';
import { RawResponse, type Route } from '../route.ts';

/** Each form reads its own parameters, and names those without effect. */
const AnyQuery = v.record(v.string(), v.string());
const AnyBody = v.optional(v.unknown());

const json = { status: 200, type: 'application/json' } as const;

const KindParams = v.object({ kind: v.string() });

/** Without a key in the path, `key` is the name of the page. */
const KeyParams = v.object({ key: v.string() });
const PageParams = v.object({ key: v.string(), page: v.string() });

const searxng = {
  auth: 'form',
  query: AnyQuery,
  reply: RawResponse,
  returns: 'The results in the form of SearXNG',
  response: json,
  inFormOf: 'SearXNG',
} as const;

const dataforseo = {
  auth: 'form',
  query: AnyQuery,
  reply: RawResponse,
  returns: 'The answer in the form of DataForSEO',
  response: json,
  inFormOf: 'DataForSEO',
} as const;

const EngineParams = v.object({ engine: v.string() });
const FormParams = v.object({ engine: v.string(), form: v.string() });

export const compatRoutes = {
  'compat/ask-serper': {
    method: 'POST',
    path: '/compat/serper/{kind}',
    auth: 'form',
    summary: 'Search in the form of Serper',
    params: KindParams,
    query: AnyQuery,
    body: AnyBody,
    reply: RawResponse,
    returns: 'The results in the form of Serper',
    response: json,
    inFormOf: 'Serper',
  },
  'compat/ask-serper-by-query': {
    method: 'GET',
    path: '/compat/serper/{kind}',
    auth: 'form',
    summary: 'Search in the form of Serper, with a query string',
    params: KindParams,
    query: AnyQuery,
    reply: RawResponse,
    returns: 'The results in the form of Serper',
    response: json,
    inFormOf: 'Serper',
  },
  'compat/search-searxng': {
    ...searxng,
    method: 'GET',
    path: '/compat/searxng/{key}',
    summary: 'Search in the form of SearXNG, at the address of the instance',
    params: KeyParams,
  },
  'compat/search-searxng-by-form': {
    ...searxng,
    method: 'POST',
    path: '/compat/searxng/{key}',
    summary: 'Search in the form of SearXNG, at the address of the instance, with a form',
    params: KeyParams,
    body: AnyBody,
  },
  'compat/read-searxng': {
    ...searxng,
    method: 'GET',
    path: '/compat/searxng/{key}/{page}',
    summary: 'A page of SearXNG: search, config or healthz',
    params: PageParams,
  },
  'compat/read-searxng-by-form': {
    ...searxng,
    method: 'POST',
    path: '/compat/searxng/{key}/{page}',
    summary: 'Search in the form of SearXNG, with a form',
    params: PageParams,
    body: AnyBody,
  },
  'compat/ask-serpapi': {
    method: 'GET',
    path: '/compat/serpapi/{page}',
    auth: 'form',
    summary: 'A page of SerpApi: search, account or locations',
    params: v.object({ page: v.string() }),
    query: AnyQuery,
    reply: RawResponse,
    returns: 'The page in the form of SerpApi',
    response: json,
    inFormOf: 'SerpApi',
  },
  'compat/list-serpapi-locations': {
    method: 'GET',
    path: '/compat/serpapi/locations.json',
    auth: 'none',
    summary: 'List places in the form of SerpApi',
    query: AnyQuery,
    cacheSeconds: 86_400,
    isPublic: true,
    reply: RawResponse,
    returns: 'The places in the form of SerpApi',
    response: json,
    inFormOf: 'SerpApi',
  },
  'compat/read-serpapi': {
    method: 'GET',
    path: '/compat/serpapi/searches/{file}',
    auth: 'form',
    summary: 'Read a search in the form of SerpApi',
    params: v.object({ file: v.string() }),
    query: AnyQuery,
    reply: RawResponse,
    returns: 'The search in the form of SerpApi',
    response: json,
    inFormOf: 'SerpApi',
  },
  'compat/post-dataforseo-tasks': {
    ...dataforseo,
    method: 'POST',
    path: '/compat/dataforseo/v3/serp/{engine}/organic/task_post',
    summary: 'Queue searches in the form of DataForSEO',
    params: EngineParams,
    body: AnyBody,
  },
  'compat/search-dataforseo': {
    ...dataforseo,
    method: 'POST',
    path: '/compat/dataforseo/v3/serp/{engine}/organic/live/{form}',
    summary: 'Search in the form of DataForSEO',
    params: FormParams,
    body: AnyBody,
  },
  'compat/list-dataforseo-ready': {
    ...dataforseo,
    method: 'GET',
    path: '/compat/dataforseo/v3/serp/{engine}/organic/tasks_ready',
    summary: 'List the searches that have ended in the form of DataForSEO',
    params: EngineParams,
  },
  'compat/read-dataforseo-task': {
    ...dataforseo,
    method: 'GET',
    path: '/compat/dataforseo/v3/serp/{engine}/organic/task_get/{form}/{id}',
    summary: 'Read a search in the form of DataForSEO',
    params: v.object({ engine: v.string(), form: v.string(), id: v.string() }),
  },
  'compat/list-dataforseo-names': {
    ...dataforseo,
    method: 'GET',
    path: '/compat/dataforseo/v3/serp/{engine}/{list}',
    summary: 'List locations or languages in the form of DataForSEO',
    params: v.object({ engine: v.string(), list: v.string() }),
  },
  'compat/list-dataforseo-country': {
    ...dataforseo,
    method: 'GET',
    path: '/compat/dataforseo/v3/serp/{engine}/{list}/{country}',
    summary: 'List the location of a country in the form of DataForSEO',
    params: v.object({ engine: v.string(), list: v.string(), country: v.string() }),
  },
  'compat/read-dataforseo-account': {
    ...dataforseo,
    method: 'GET',
    path: '/compat/dataforseo/v3/appendix/user_data',
    summary: 'Show the account in the form of DataForSEO',
  },
} as const satisfies Record<`compat/${string}`, Route>;
