/**
 * The meaning of every field of the interface, with an example: what the OpenAPI document says about it. A field has the same name and meaning
 * in all schemas; a key `Schema.field`, or `field.inner`, is for a field that means something else there.
 */

const rank = (type: string) => ({
  position: '4',
  type,
  title: 'Coffee grinders compared',
  url,
  snippet: 'Twelve grinders, one bag of beans.',
});

/** The description is null if the schema of the field has one. */
type Entry = readonly [description: string | null, example: unknown];

const url = 'https://www.example.com/coffee-grinders';

const taskResult: Entry = [
  'The result after success: an object with `left` and `right`, or, if `domain` was given, one with an entry for each domain. No domain is named `left`, ' +
    'so `result.left` tells them apart',
  { left: [], right: [] },
];

export const glossary: Record<string, Entry> = {
  // Messages of agents
  jsonrpc: [null, '2.0'],
  'JsonRpcMessage.id': [null, 1],
  method: [null, 'tools/call'],
  params: [
    null,
    { name: 'search', arguments: { keyword: 'coffee grinder', iso_code: 'US', token_budget: 2000 } },
  ],

  // Tasks
  id: [
    'The id of the task. Ids of later tasks are larger. A JavaScript number holds it exactly',
    3767392204849152,
  ],
  user_id: ['The id of the user who owns the task', 1],
  sharding: ['The number of the index shard that contains the task', 0],
  status: ['The state of the task. `success`, `error` and `dead_letter` are final', 'success'],
  keyword: ['The search query, 1 to 2,048 characters', 'coffee grinder'],
  location_name: [
    'The place to search from, as `GET /api/v1/common/locations` names it: a country, or a city with its region and country',
    'Berlin,Germany',
  ],
  iso_code: [
    'The country of the search: its two letters of ISO 3166-1, in either case. `UK` is read as `GB`',
    'DE',
  ],
  language_code: [
    'The language of the search, with a script or a region if needed. Empty: the default of the engine',
    'de',
  ],
  device: ['The device whose result page is read', 'mobile'],
  engine_domain: ['The domain of the engine. Empty: the default of the engine', 'google.com'],
  domain: [
    'The domain to track. If it is given, `result` has the ranks of domains instead of the result items. On YouTube: a channel or a video',
    'example.com',
  ],
  business_name: [
    'The name of a business to track in the local pack. It has an effect only together with `domain`',
    'Acme Coffee',
  ],
  competitors: [
    'Domains whose rank is always reported beside that of `domain`',
    [{ keyword_id: 7, competitor: 'rival.example', type: 'domain' }],
  ],
  competitor: ['The domain of the competitor', 'rival.example'],
  frequency: [
    'How often the keyword is tracked, in hours. Pages of an earlier search that are younger than this are reused (Google and YouTube: than a ' +
      'week at least). 0 or less: the engine is always asked. Null counts as 24',
    24,
  ],
  se_id: [
    'The id of an engine configuration of `GET /api/v1/common/engines/{system}`. It fills the fields that are empty. 0: none',
    0,
  ],
  depth: ['The number of results to read, 1 to 100. Ten results are one page', 20],
  postback_url: [
    'The URL that receives the finished task. HTTPS, at a public address. Null or empty: no webhook',
    'https://hooks.example.com/rankings',
  ],
  post_id: ['An identifier of your own. It is returned with the task', 'order-17'],
  keyword_id: ['A number of your own for the keyword. It is returned with the task', 42],
  priority: ['1 or 2. It is recorded, and has no effect on the order of tasks', 1],
  upstream_id: [
    'The id of the search at an upstream data provider. Null: the service fetched the pages itself',
    null,
  ],
  retries_count: ['How many runs of the task came after the first', 0],
  postback_retries_count: ['How many attempts to deliver the webhook came after the first', 0],
  pages: ['The result pages of the task, all planned ones from the start', []],
  'GoogleSerpTask.result': taskResult,
  'SerpTask.result': taskResult,
  result: [null, []],
  top_10: [
    'The first ten distinct domains of the results (YouTube: channels), in order. Null before success',
    ['example.com'],
  ],
  created_on: ['The day of the creation, UTC', '2026-11-22'],
  created_at: ['When the task was created, in Unix seconds', 1795996800],
  succeed_at: ['When the task succeeded, in Unix seconds. 0 before', 1795996802],
  ttl: [
    'When the task expires, in Unix seconds: 24 hours after its creation. It then no longer exists',
    1796083200,
  ],
  error_message: [
    'Why the task failed, or what it waits for. It begins with one of these words and a colon: `captcha`, `script_wall`, `consent`, `soft_block`, ' +
      '`decoy`, `unknown_layout` (what the engine sent instead of a readable page), `throttled` (the engine takes no more searches now), `unreachable` ' +
      '(no connection to the engine), `timeout`, `upstream` (the data provider refused or did not answer), `unresolved` (the address of a result is ' +
      'hidden, so a rank is uncertain), `machinery` (a fault of the service). Null: nothing to say',
    'captcha: the engine asks for proof of a person',
  ],
  crawled_at: ['When the pages were fetched, in Unix seconds. 0 before', 1795996801],
  reused: ['Whether pages of an earlier, identical search answer the task', false],
  complete: [
    'Whether the result is based on all pages and on exactly the words that were asked. Null until the task is final',
    true,
  ],
  waiting_until: ['Until when the task waits for its engine, in Unix seconds. Null: it does not wait', null],
  warnings: ['What was accepted without effect, one sentence each', []],
  engine_check_url: [
    'An address at which a person can see the same search',
    'https://www.google.com/search?q=coffee+grinder&hl=de&gl=de&start=0',
  ],
  snapshot_hash: [
    'The identity of the search: the same for all tasks that the same pages can answer. A SHA-256 in hex',
    '4c0b3a5ac3c94bd1a5b2a9d0f9b8a9f6a7d5d7c3c1f0f2b7c9d5e1a3b6f8d2e4',
  ],
  user_agent: [
    'The `User-Agent` with which the pages were fetched. Null before',
    'Mozilla/5.0 (X11; Linux x86_64) …',
  ],
  html_key: [
    'The storage key of the HTML of the first page. Null until it is stored',
    'html/3Rk0c8Yw2sV5xQbT/1-1.html.gz',
  ],

  // Pages of a task
  page: ['The number of the page, from 1', 1],
  'GoogleSerpTaskPage.url': [
    'The address of the page',
    'https://www.google.com/search?q=coffee+grinder&hl=de&gl=de&start=0',
  ],
  'GoogleSerpTaskPage.status': ['The state of the page. `parsed` and `failed` are final', 'parsed'],
  retry_count: ['How many fetches of the page came after the first', 0],
  html: [
    'The storage key of the HTML of the page. Empty until it is stored',
    'html/3Rk0c8Yw2sV5xQbT/1-1.html.gz',
  ],
  'CrawlHTML.html': [
    'The HTML of the page as it was fetched. It is untrusted: do not render it on your own origin',
    '<!doctype html>…',
  ],
  results: [null, []],
  'GoogleSerpTaskPage.results': [
    'The items of this page alone. Null until the page is read',
    { left: [], right: [] },
  ],

  // Result items
  left: ['The items of the main column, in page order', []],
  right: ['The items of the sidebar, in page order', []],
  type: ['The kind of the item', 'organic'],
  'Competitor.type': ['`domain`. Competitors of other types are returned and have no effect', 'domain'],
  position: ['The rank within the type, from 1, as text', '1'],
  absolute_position: ['The number of the item within its array, from 1', 1],
  title: ['The title; empty if the item shows none', 'Coffee grinders compared'],
  url: ['The address that the item leads to', url],
  breadcrumb: ['The address as the page shows it', 'https://www.example.com › coffee'],
  snippet: ['The text of the item', 'Twelve grinders, one bag of beans.'],
  url_resolution: [
    'How `url` was found: `direct` (the link itself), `unwrapped` (taken out of a redirect of the engine), `page` (named elsewhere on the page), ' +
      '`redirect` (looked up at the engine), `opaque` (not found: `url` is a link of the engine)',
    'direct',
  ],
  'ResultItem.domain': [
    'The host of `url` without `www.`; empty if unknown. Only of web results and ads',
    'example.com',
  ],
  'ResultItem.items': ['The related terms. Only of `related_search`', ['coffee grinder manual']],
  items: ['The items of this page of the list', []],
  sitelinks: ['Further pages of the same site below the result', [{ title: 'Manual grinders', url }]],
  block: ['Whether the ad is above (`top`) or below (`bottom`) the results', 'top'],
  sources: [
    'The pages that an `ai_overview` cites, in page order',
    [{ position: 1, title: 'Coffee grinders compared', url, domain: 'example.com' }],
  ],
  'sources.position': ['The number of the reference, from 1', 1],
  state: [
    'Of an `ai_overview`: `present` (its text is on the page) or `deferred` (the engine was still writing it). Of a `spelling`: `silent` if the engine ' +
      'changed the query without saying so',
    'present',
  ],
  date: ['The date as the page shows it', 'Sep 8, 2026'],
  rating: ['The rating as the page shows it', '4.6'],
  reviews: ['The number of reviews as the page shows it', '1,204'],
  price: ['The price as the page shows it', '€129.00'],
  source: ['The publisher, the shop or the platform', 'Example News'],
  category: ['The kind of the place', 'Coffee shop'],
  phone: ['The telephone number', '+49 30 901820'],
  duration: ['The length of the video', '12:34'],
  views: ['How often the video was seen, as the page shows it', '1.2M views'],
  channel: ['The name of the channel', 'Acme Coffee'],
  channel_url: ['The address of the channel', 'https://www.youtube.com/@acme'],
  channel_id: ['The id of the channel', 'UCxxxxxxxxxxxxxxxxxxxxxx'],
  subscribers: ['The number of subscribers, as the page shows it', '15.3K subscribers'],
  videos_count: ['The number of videos, as the page shows it', '120 videos'],
  image_url: ['The address of the picture', 'https://www.example.com/grinder.jpg'],
  subtitle: ['The line below the title', 'Kitchen appliance'],
  facts: ['The facts of a panel', [{ label: 'Invented', value: '1798' }]],
  label: ['The name of the fact', 'Invented'],
  value: ['The fact', '1798'],
  profiles: [
    'Links to profiles of the subject',
    [{ title: 'Wikipedia', url: 'https://en.wikipedia.org/wiki/Coffee_grinder' }],
  ],

  // Domain tracking
  'TrackingResult.type': [
    '`owner` is the tracked domain, `competitor` a domain that the request names, `competitor_free` any other domain found. `unknown` is a domain that the request names and that was not found before `stop_on_match` ended the crawl',
    'owner',
  ],
  'TrackingResult.results': ['The ranks of the domain', { organic: rank('organic') }],
  'TrackingResult.position': [
    'The best rank of the domain. `1000`: it is not in the results, and every planned page was read. `0`: it was not found before `stop_on_match` ended the crawl',
    '4',
  ],
  organic: ['The rank in the results', rank('organic')],
  local_pack: ['The rank of `business_name` in the local pack', rank('local_pack')],
  ai_overview: [
    'The first citation in the AI overview. Absent if no overview with references is shown',
    rank('ai_overview'),
  ],

  // Options of a search
  safe: ['SafeSearch: `active` filters explicit results, `off` does not', 'active'],
  nfpr: ['1: search for exactly these words, without a correction of their spelling', 1],
  filter: ['0: show results that the engine leaves out because they are similar to others', 0],
  lr: ['Languages of the results: `lang_de`, or several: `lang_de|lang_fr`', 'lang_de'],
  cr: ['Countries of the results: `countryDE`, or several: `countryDE|countryAT`', 'countryDE'],
  tbs: [
    'Dates of the results: `qdr:` and `h`, `d`, `w`, `m` or `y` (the last hour, day, week, month or year), with a number for several; or ' +
      '`cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`. `,sbd:1` sorts them by date',
    'qdr:w',
  ],
  udm: ['14: the tab of web results, without other kinds of results', 14],
  coordinates: [
    'The place of the searcher: `latitude,longitude` or `latitude,longitude,radius`, in degrees and meters. The engine gets it instead of `location_name`',
    '52.52,13.405',
  ],

  // Errors
  detail: ['What is wrong, in a sentence', 'Task not found'],
  'HTTPValidationError.detail': [
    'All errors of the request',
    [{ loc: ['body', 'keyword'], msg: 'Field required', type: 'missing' }],
  ],
  loc: [
    'Where the error is: `body`, `query`, `path` or `header`, then the names of fields and the numbers of items',
    ['body', 'keyword'],
  ],
  msg: ['The error as a sentence', 'Field required'],
  'ValidationError.type': [
    'The error as a word of pydantic: `missing`, `string_type`, `string_too_short`, `string_too_long`, `string_pattern_mismatch`, `string_unicode`, ' +
      '`int_type`, `int_parsing`, `int_parsing_size`, `int_from_float`, `finite_number`, `bool_type`, `bool_parsing`, `enum`, `literal_error`, ' +
      '`greater_than_equal`, `less_than_equal`, `list_type`, `too_short`, `too_long`, `model_attributes_type`, `url_parsing`, `value_error`',
    'missing',
  ],

  // Lists and places
  num_items: ['The number of items in this response', 1],
  cursor: ['Send it as `cursor` to get the next page of the list. Null: there are no more items', null],
  'LocationList.items': ['The places, best match first', []],
  'Location.name': ['The place, as `location_name` takes it', 'Berlin,State of Berlin,Germany'],
  kind: ['Whether the place is a country, a region or a city', 'city'],
  population: ['The inhabitants of a city. Null for countries and regions', 3426354],
  'path.task_id': ['The id of the task', 3767392204849152],
  'path.system_name': ['The search engine', 'google'],
  'path.token': ['The token of the link', '1.1796083200.aHRtbC9h.AAAA'],
  'path.asset': ['The name of the file', 'swagger-ui.css'],
  'query.page': ['The number of the page, from 1', 1],
  'query.q': ['The beginning of the name of a place, or of a word of it', 'Berl'],
  'query.iso_code': ['Only places of this country', 'DE'],
  'query.wait': [null, 10],
  'query.cursor': ['The `cursor` of the page before. Empty: the first page', ''],

  // The service
  name: ['The name', 'search-ranking-service'],
  version: ['The version of the interface', '0.1.0'],
  docs: ['The address of the interactive reference', 'https://api.example.com/docs'],
  openapi: ['The address of the OpenAPI document', 'https://api.example.com/openapi.json'],
  search_source: ['`live`: the real engines. `sandbox`: invented results', 'live'],
  notice: [
    'What a client must know about the source of the results',
    'Results come from the real search engines.',
  ],

  // Users
  'User.id': [null, 7],
  'User.ttl': [null, 0],
  'User.name': [null, 'Rank team'],
  'CreateApiKey.name': [null, 'Rank team'],

  // Rank tracking
  project_id: [null, 3767392204849160],
  'ProjectRequest.name': [null, 'Coffee shop'],
  'ManagedProject.name': [null, 'Coffee shop'],
  'ProjectRequest.competitors': [null, ['rival.example']],
  'ManagedProject.competitors': [null, ['rival.example']],
  locations: [null, ['Berlin,Germany']],
  check_frequency: [null, 24],
  paused: [null, false],
  alerts: [null, null],
  moved_by: [null, 5],
  boundaries: [null, [3, 10]],
  lost_first_to: [null, ['rival.example']],
  citations: [null, true],

  email: [null, 'ranks@example.com'],
  api_key: [null, 'serp_0000000000000000000000000000000000000000000000'],
  enabled: [null, true],
  access_token: [null, 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA'],
  token_type: [null, 'bearer'],
  expires_in: [null, 3600],
  scope: [null, ''],
  grant_type: [null, 'password'],
  username: [null, 'ranks@example.com'],
  password: [null, 'serp_0000000000000000000000000000000000000000000000'],
  client_id: [null, null],
  client_secret: [null, null],
  secret: [null, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  former_secret: [null, null],
  former_until: [null, null],
  'query.grace': [null, 86400],

  // State of the service
  'Health.status': [null, 'ok'],
  parts: [null, { table: 'ok', queue: 'ok', bucket: 'ok', secrets: 'ok' }],
  table: [null, 'ok'],
  queue: [null, 'ok'],
  bucket: [null, 'ok'],
  secrets: [null, 'ok'],
  engines: [null, []],
  'engines.name': [null, 'google'],
  'engines.source': [null, 'live'],
  'engines.state': [null, 'in_use'],
  'fetchers.name': [null, 'http'],
  pages_per_second: [null, 1],
  failures: [null, 0],
  rested_until: [null, 0],
  fetchers: [null, []],
  queues: [null, []],
  'queues.name': [null, 'crawl'],
  waiting: [null, 12],
  delayed: [null, 0],
  in_progress: [null, 4],
  oldest_task_seconds: [null, 3],
  oldest_webhook_seconds: [null, 0],

  // Keyword data
  key: [null, 'coffee grinder'],
  keywords: [null, ['coffee grinder']],
  loc_id: [null, 2840],
  page_url: [null, null],
  include_seed_keyword: [null, true],
  aggregate_metric_results: [null, []],
  'AggregateMetricResults.device': [null, 'MOBILE'],
  search_count: [null, 12100],
  'IdeasTask.results': [null, []],
  'KeywordDataTask.result': [null, []],
  text: [null, 'coffee grinder'],
  keyword_idea_metrics: [
    'The metrics of the keyword',
    {
      competition: 'HIGH',
      competition_index: 87,
      avg_monthly_searches: 12100,
      low_top_of_page_bid_micros: 860000,
      high_top_of_page_bid_micros: 2800000,
      monthly_search_volumes: [{ month: 'OCTOBER', year: 2026, monthly_searches: 14800 }],
    },
  ],
  has_data: [null, true],
  keyword_annotations: [null, { concepts: [] }],
  concepts: [null, [{ name: 'coffee', concept_grop: { name: 'Drinks', type: 'NON_BRAND' } }]],
  concept_grop: [null, { name: 'Drinks', type: 'NON_BRAND' }],
  'concepts.name': [null, 'coffee'],
  'concept_grop.name': [null, 'Drinks'],
  'concept_grop.type': [null, 'NON_BRAND'],
  competition: [null, 'HIGH'],
  competition_index: [null, 87],
  avg_monthly_searches: [null, 12100],
  low_top_of_page_bid_micros: [null, 860000],
  high_top_of_page_bid_micros: [null, 2800000],
  monthly_search_volumes: [null, [{ month: 'OCTOBER', year: 2026, monthly_searches: 14800 }]],
  month: [null, 10],
  'monthly_search_volumes.month': [null, 'OCTOBER'],
  year: [null, 2026],
  monthly_searches: [null, 14800],
  cmp: [null, 0.87],
  cpc: [null, 1.83],
  ms: [null, [{ year: 2026, month: 10, count: 14800 }]],
  count: [null, 14800],
  sv: [null, 12100],
  'KeywordIdeaMetric.text': [null, 'coffee grinder'],
  'SearchEngine.id': [null, 1234567],
  'SearchEngine.name': [null, 'Google Germany, German, desktop'],
  type_name: [null, 'desktop'],
  system_name: [null, 'google'],
  country_name: [null, 'Germany'],
  language: [null, 'German'],
  localization: [null, 'de'],
  'path.system': ['The search engine', 'google'],
  engine_name: [null, 'google'],
  location_code: [null, 2840],
  suggestions: [null, ['coffee grinder manual', 'coffee grinder electric']],
  interest_over_time: [null, [{ date: '2026-11-15', value: 87 }]],
  'interest_over_time.date': [null, '2026-11-15'],
  'interest_over_time.value': [null, 87],
  related_queries: [
    null,
    { top: [{ query: 'espresso', value: 100 }], rising: [{ query: 'cold brew', value: 250 }] },
  ],
  top: [null, [{ query: 'espresso', value: 100 }]],
  rising: [null, [{ query: 'cold brew', value: 250 }]],
  query: [null, 'espresso'],
  'top.value': [null, 100],
  'rising.value': [null, 250],
  traffic: [null, '5000+'],
  'result.related_queries': [null, ['espresso']],

  // Batches and deliveries
  'Batch.status': [null, 'running'],
  total: [null, 2],
  counts: [
    'The number of tasks in each status',
    { awaiting: 1, crawling: 0, awaiting_webhook: 0, parsing: 0, success: 1, error: 0, dead_letter: 0 },
  ],
  results_url: [null, null],
  awaiting: [null, 1],
  crawling: [null, 0],
  awaiting_webhook: [null, 0],
  parsing: [null, 0],
  success: [null, 1],
  error: [null, 0],
  dead_letter: [null, 0],
  task_id: [null, 3767392204849152],
  delivery_id: [null, 'msg_1_3767392204849152_1'],
  attempts: [null, []],
  time: [null, 1795996803],
  duration_ms: [null, 120],
  'Deliveries.state': [null, 'delivered'],
  'attempts.status': [null, 200],
  'attempts.error': [null, null],
  postback_fields: [null, ['left']],
  stop_on_match: [null, false],
  'header.x-batch-postback-url': [
    'The URL that receives one webhook when all tasks of the batch have ended',
    'https://hooks.example.com/batches',
  ],
  'query.format': ['The form of the answer. It replaces that of the header `Accept`', 'csv'],
  'query.fields': [
    'The names of the fields that are wanted, separated by commas. Empty: all',
    'id,status,result',
  ],
  'query.engine': ['Only tasks of this engine', 'google'],
  'query.created_after': ['Only tasks that were created after this time, in Unix seconds', 1795996800],
  'query.batch': ['Only tasks of the batch with this id', 3767392204849151],
  received: ['Whether the call was received', true],
  'path.batch_id': ['The id of the batch', 3767392204849151],

  // Webhooks
  total_results: [
    'The number of results as the page shows it; empty if it shows none',
    'About 1,230,000 results',
  ],
  search_time: ['Seconds that the engine took, as the page shows them; 0 if it shows none', 0.42],
  'SerpPayload.result': ['The results by kind. Null on `error`', null],
  'SerpPayload.organic': ['The web results', []],
  'SerpPayload.local_pack': ['The places of the map', []],
  'SerpPayload.position': ['The rank within the kind, from 1', 1],
  'SerpPayload.domain': ['The tracked domain, or the host of an item without `www.`', 'example.com'],
  'SerpPayload.status': ['`success`, or `error` for every other end', 'success'],
  ads: ['The ads', []],
  featured_snippet: ['The answer above the results. Null if there is none', null],
  description: ['The text of the item', 'Twelve grinders, one bag of beans.'],
  address: ['The address of the place', 'Friedrichstraße 1'],
  tracking: ['The ranks of domains. Null if no domain is tracked, and on `error`', null],
  top_domains: ['The first ten distinct domains of the results, in order', ['example.com']],
  html_url: [
    'A link to the stored HTML of the first page. It needs no key, and works for 24 hours. Empty if no page is stored',
    '',
  ],
};

/** The meaning of each word of an enumeration. */
export const words: Record<string, Record<string, string>> = {
  TaskStatus: {
    awaiting: 'accepted, and waiting for its turn',
    crawling: 'its pages are being fetched',
    awaiting_webhook: 'an upstream data provider fetches its pages',
    parsing: 'its pages are being read',
    success: 'final: the result is there',
    completed: 'never set; accepted as a filter',
    error: 'final: there is no result, and `error_message` says why',
    dead_letter: 'final: the service failed; an operator can start the task again',
  },
  PageStatus: {
    awaiting: 'not fetched. In a finished task: not needed, because `stop_on_match` ended the crawl before',
    queued_http: 'to be fetched over HTTP',
    in_progress_http: 'being fetched over HTTP',
    queued_browser: 'to be fetched with the browser',
    in_progress_browser: 'being fetched with the browser',
    success: 'fetched and stored',
    failed: 'final: no readable page was fetched',
    parsed: 'final: read',
  },
  Device: { mobile: 'a telephone', desktop: 'a computer' },
};
