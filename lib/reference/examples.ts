/** Example bodies and replies of the OpenAPI document. A contract test parses each with its schema. */

import { type Operation, version } from '../api/routes.ts';
import { defaultEngine, engines } from '../model/engine.ts';

const request = {
  keyword: 'coffee grinder',
  location_name: 'Berlin,Germany',
  iso_code: 'DE',
  language_code: 'de',
  device: 'mobile',
  depth: 20,
  post_id: 'order-17',
};

const awaiting = {
  id: 3767392204849152,
  user_id: 1,
  status: 'awaiting',
  ...request,
  pages: [1, 2].map((page) => ({
    page,
    url: `https://www.${engines[defaultEngine].domain}/search?q=coffee+grinder&start=${10 * (page - 1)}`,
  })),
  created_on: '2026-11-21',
  created_at: 1795996800,
  ttl: 1796083200,
};

const organic = {
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title: 'Coffee grinders compared',
  url: 'https://www.example.com/coffee-grinders',
  breadcrumb: 'https://www.example.com › coffee',
  snippet: 'Twelve grinders, one bag of beans.',
  url_resolution: 'direct',
  domain: 'example.com',
};

const finished = {
  ...awaiting,
  status: 'success',
  result: { left: [organic], right: [] },
  top_10: ['example.com'],
  succeed_at: 1795996802,
  crawled_at: 1795996801,
};

const { depth, ...v1Request } = request;

const v1Awaiting = {
  id: 3767392204849152,
  user_id: 1,
  ...v1Request,
  engine_domain: engines[defaultEngine].domain,
  postback_url: null,
  engine_check_url: `https://www.${engines[defaultEngine].domain}/search?q=coffee+grinder&hl=de&gl=de&start=0`,
  snapshot_hash: '4c0b3a5ac3c94bd1a5b2a9d0f9b8a9f6a7d5d7c3c1f0f2b7c9d5e1a3b6f8d2e4',
  result: {},
  status: 'awaiting',
  created_on: '2026-11-21',
  created_at: 1795996800,
  succeed_at: 0,
  ttl: 1796083200,
};

const v1Finished = {
  ...v1Awaiting,
  status: 'success',
  html_key: 'html/3Rk0c8Yw2sV5xQbT/1-1.html.gz',
  result: finished.result,
  top_10: finished.top_10,
  succeed_at: finished.succeed_at,
  crawled_at: finished.crawled_at,
};

const user = {
  id: 17,
  api_key: 'serp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup',
  email: 'reports@example.com',
  name: 'Reports',
  ttl: 0,
  enabled: true,
};

const webhookSecret = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  former_secret: null,
  former_until: null,
};

const managedUser = {
  id: user.id,
  name: user.name,
  email: user.email,
  enabled: true,
  ttl: 0,
  permissions: ['engines'],
  rate_limit: 2000,
  created_at: 1793404800,
  key_hint: '5f0c3a91',
  former_key: null,
  former_secret_until: null,
};

const suggestRequest = {
  keyword: 'coffee grinder',
  location_name: 'Germany',
  iso_code: 'DE',
  language_code: 'de',
  engine_name: defaultEngine,
};

const metrics = {
  competition: 'HIGH',
  competition_index: 87,
  avg_monthly_searches: 12_100,
  low_top_of_page_bid_micros: 860_000,
  high_top_of_page_bid_micros: 2_800_000,
  monthly_search_volumes: [{ month: 'OCTOBER', year: 2026, monthly_searches: 14_800 }],
};

const keywordLife = {
  id: 3767392204849153,
  user_id: 1,
  status: 'awaiting',
  created_on: '2026-11-21',
  created_at: 1795996800,
  ttl: 1796083200,
};

const volumeTask = { ...keywordLife, key: 'coffee grinder', loc_id: 2840, result: [] };

const finishedVolume = {
  ...volumeTask,
  status: 'success',
  result: [{ text: volumeTask.key, keyword_idea_metrics: metrics, has_data: true }],
  succeed_at: 1795996802,
  crawled_at: 1795996802,
};

const ideasTask = {
  ...keywordLife,
  keywords: ['coffee grinder'],
  location_code: 2840,
  language_code: 'en',
  page_url: null,
  include_seed_keyword: true,
  results: [],
  aggregate_metric_results: [],
};

const projectRequest = {
  name: 'Coffee shop',
  domain: 'example.com',
  competitors: ['rival.example'],
  locations: ['Berlin,Germany'],
  check_frequency: 24,
  alerts: {
    postback_url: 'https://hooks.example.com/rankings',
    moved_by: 5,
    boundaries: [3, 10],
    lost_first_to: ['rival.example'],
    citations: true,
  },
};

const project = {
  project_id: 3767392204849160,
  ...projectRequest,
  paused: false,
  created_at: 1795996800,
};

const trackedKeyword = {
  keyword_id: 3767392204849170,
  type: 'owner',
  domain: 'example.com',
  device: 'mobile',
  google_business: null,
  initial_position: 12,
  current_position: 4,
  best_position: 3,
  previous_position: 6,
  movement: 2,
  local_sv: 12_100,
  global_sv: 90_500,
  cpc: 1.83,
  url: organic.url,
  update_frequency: 24,
};

const reportedKeyword = {
  ...trackedKeyword,
  name: request.keyword,
  language: 'German',
  search_engine: engines[defaultEngine].domain,
  location: request.location_name,
  status: 'updated',
  position_next_update: '2026-11-23T00:00:00+00:00',
};

const managedKeyword = {
  ...trackedKeyword,
  project_id: project.project_id,
  keyword: request.keyword,
  engine: defaultEngine,
  engine_domain: engines[defaultEngine].domain,
  location_name: request.location_name,
  iso_code: request.iso_code,
  language_code: request.language_code,
  paused: false,
  created_at: 1793404800,
  status: 'updated',
  next_at: 1796083200,
  crawled_at: 1795996800,
  cited: true,
  features: ['ai_overview', 'related_search'],
  days: [
    { date: '2026-11-21', position: 6, cited: null },
    { date: '2026-11-22', position: 4, cited: true },
  ],
  competitors: { 'rival.example': { current_position: 2, previous_position: 3, movement: 1 } },
  gap: null,
  chart_url:
    'https://api.example.com/charts/1.1830556800.Mzc2NzM5MjIwNDg0OTE3MA.hq2m0mE3oYw7mUe4k0vC5Jr1nYcJqZkq8yC2a9bX0dE.svg',
};

const history = {
  position: 4,
  url: organic.url,
  title: organic.title,
  snippet: organic.snippet,
  type: 'organic',
};

const reportsUrl = 'https://api.example.com/api/reporting';

const links = (path: string) => ({
  first: `${reportsUrl}/${path}?per_page=25`,
  last: `${reportsUrl}/${path}?per_page=25&cursor=eyJzIjoiYiJ9`,
  prev: null,
  next: null,
});

const meta = (path: string) => ({
  per_page: [25, 1],
  next_cursor: null,
  prev_cursor: null,
  has_more: false,
  path: `${reportsUrl}/${path}`,
});

const reportedProject = {
  project_id: project.project_id,
  name: project.name,
  locations: project.locations.join(', '),
  check_frequency: project.check_frequency,
};

const keywordsPath = `projects/${project.project_id}/keywords`;
const historyUrl = `${reportsUrl}/keywords/${trackedKeyword.keyword_id}/history?start_date=2026-11-01&end_date=2026-11-22&per_page=25&page=1`;

const deliveries = {
  task_id: finished.id,
  postback_url: 'https://hooks.example.com/rankings',
  delivery_id: `msg_1_${finished.id}_1`,
  state: 'delivered',
  attempts: [
    { time: 1795996803, status: 500, duration_ms: 90, error: 'the receiver answered 500' },
    { time: 1795996863, status: 204, duration_ms: 120, error: null },
  ],
};

const again = { ...deliveries, state: 'pending' };

const alertId = 3767392204849170;
const { task_id: _, ...delivery } = deliveries;
const alertDeliveries = { alert_id: alertId, ...delivery, delivery_id: `msg_1_${alertId}_0` };

export const examples: Partial<Record<Operation, { body?: unknown; reply?: unknown }>> = {
  'site/read-root': {
    reply: {
      name: 'Search Ranking and Keyword Data Service',
      version,
      docs: 'https://api.example.com/docs',
      openapi: 'https://api.example.com/openapi.json',
      reference: 'https://api.example.com/docs/index.md',
      llms: 'https://api.example.com/llms.txt',
      search_source: 'live',
      notice: 'Results come from the search engines.',
    },
  },
  'site/read-openapi': { reply: { openapi: '3.1.0', paths: {} } },
  'serp/read-html': { reply: { html: '<!doctype html>…' } },
  'serp/read-deliveries': { reply: deliveries },
  'serp/read-google-deliveries': { reply: deliveries },
  'serp/send-postback': { reply: again },
  'serp/send-google-postback': { reply: again },
  'serp/receive-pingback': { reply: { received: true } },
  'account/create-user': { body: { name: user.name, email: user.email }, reply: user },
  'account/read-user': { reply: user },
  'account/read-webhook-secret': { reply: webhookSecret },
  'account/rotate-webhook-secret': {
    reply: {
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      former_secret: webhookSecret.secret,
      former_until: 1796083200,
    },
  },
  'account/list-users': { reply: { data: [managedUser], cursor: null } },
  'account/read-managed-user': { reply: managedUser },
  'account/update-user': { body: { rate_limit: 500 }, reply: { ...managedUser, rate_limit: 500 } },
  'account/rotate-user-key': { reply: { api_key: user.api_key, former_until: 1796083200 } },
  'account/rotate-user-webhook-secret': {
    reply: { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', former_until: 1796083200 },
  },
  'account/create-token': {
    body: { grant_type: 'password', username: '17', password: user.api_key },
    reply: {
      access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxNyJ9.c2lnbmF0dXJl',
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'engines',
    },
  },
  'status/read-health': {
    reply: { status: 'ok', parts: { table: 'ok', queue: 'ok', bucket: 'ok', secrets: 'ok' } },
  },
  'status/read-status': {
    reply: {
      engines: [
        {
          name: defaultEngine,
          source: 'live',
          pages_per_second: 1,
          state: 'in_use',
          failures: 2,
          rested_until: 0,
          fetchers: [
            { name: 'http', state: 'resting', failures: 20, rested_until: 1795996810 },
            { name: 'browser', state: 'in_use', failures: 0, rested_until: 0 },
          ],
        },
      ],
      queues: [{ name: 'crawl', waiting: 12, delayed: 40, in_progress: 10 }],
      oldest_task_seconds: 31,
      oldest_webhook_seconds: 0,
    },
  },
  'serp/create-task': { body: v1Request, reply: v1Awaiting },
  'serp/create-live-task': { body: v1Request, reply: v1Finished },
  'serp/create-batch': { body: [v1Request], reply: [v1Awaiting] },
  'serp/list-google-tasks': { reply: { num_items: 1, items: [finished], cursor: null } },
  'serp/list-tasks': { reply: { num_items: 1, items: [v1Finished], cursor: null } },
  'serp/read-task': { reply: v1Finished },
  'serp/create-google-task': { body: request, reply: awaiting },
  'serp/create-google-batch': { body: [request], reply: [awaiting] },
  'serp/read-google-task': { reply: finished },
  'serp/read-batch': {
    reply: {
      id: 3767392204849151,
      user_id: 1,
      status: 'finished',
      total: 2,
      counts: {
        awaiting: 0,
        crawling: 0,
        awaiting_webhook: 0,
        parsing: 0,
        success: 1,
        error: 1,
        dead_letter: 0,
      },
      created_at: 1795996800,
      ttl: 1796083200,
      results_url: 'https://api.example.com/api/v2/serp/batches/3767392204849151/results',
      postback_url: null,
      postback_retries_count: 0,
    },
  },
  'mcp/answer-message': {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    reply: { statusCode: 200, headers: {}, body: '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}' },
  },
  'reporting/create-project': { body: projectRequest, reply: project },
  'reporting/list-managed-projects': { reply: { data: [project], cursor: null } },
  'reporting/read-project': { reply: project },
  'reporting/update-project': { body: { paused: true }, reply: { ...project, paused: true } },
  'reporting/delete-project': { reply: project },
  'reporting/add-keywords': {
    body: [
      { keyword: 'coffee grinder', location_name: 'Berlin,Germany', iso_code: 'DE', language_code: 'de' },
    ],
    reply: {
      added: 1,
      existing: 0,
      keyword_ids: [3767392204849161],
      searches_per_day: 1,
      monthly_cost_usd: 0.0071,
      dry_run: false,
      warnings: [],
    },
  },
  'reporting/list-tracked-keywords': { reply: { data: [managedKeyword], cursor: null, total: 1 } },
  'reporting/update-keyword': { body: { paused: true }, reply: { ...managedKeyword, paused: true } },
  'reporting/delete-keyword': { reply: managedKeyword },
  'reporting/read-tracked-history': {
    reply: {
      data: [
        {
          created_at: 1795996800,
          ...history,
          features: managedKeyword.features,
          cited: true,
          competitors: { 'rival.example': 2 },
        },
      ],
      gaps: [{ created_at: 1795910400, reason: 'captcha: the engine asks for proof of a person' }],
    },
  },
  'reporting/read-keyword': { reply: managedKeyword },
  'reporting/read-cost': {
    reply: { keywords: 250, paused: 0, searches_per_day: 240, monthly_cost_usd: 1.704 },
  },
  'reporting/list-alerts': {
    reply: {
      data: [
        {
          alert_id: alertId,
          alert_date: '2026-11-22',
          created_at: 1795996800,
          changes: 1,
          state: 'delivered',
        },
      ],
    },
  },
  'reporting/read-alert-deliveries': { reply: alertDeliveries },
  'reporting/send-alert-postback': { reply: { ...alertDeliveries, state: 'pending' } },
  'reporting/read-visibility': {
    reply: {
      data: [
        { domain: 'example.com', share: 0.0966, top_3: 0, top_10: 1, average_position: 4 },
        { domain: 'rival.example', share: 0.1818, top_3: 1, top_10: 1, average_position: 2 },
      ],
      days: [{ date: '2026-11-22', shares: { 'example.com': 0.0966, 'rival.example': 0.1818 } }],
    },
  },
  'reporting/list-projects': {
    reply: { data: [reportedProject], meta: meta('projects'), links: links('projects') },
  },
  'reporting/read-project-report': {
    reply: {
      data: {
        ...reportedProject,
        stats: {
          keywords_count: 1,
          average_position: 4,
          moved_up: 1,
          moved_down: 0,
          no_change: 0,
          top_3: 0,
          top_10: 1,
          top_30: 1,
          top_100: 1,
          revenue: 1860,
        },
      },
      included: {
        keywords: [{ name: request.keyword }],
        keywords_meta: { per_page: 25, next_cursor: null, has_more: false },
      },
    },
  },
  'reporting/list-keywords': {
    reply: { data: [reportedKeyword], meta: meta(keywordsPath), links: links(keywordsPath) },
  },
  'reporting/read-keyword-report': { reply: { data: reportedKeyword } },
  'reporting/list-history': {
    reply: {
      data: [{ created_at: '2026-11-22T00:00:00+00:00', ...history }],
      meta: {
        current_page: 1,
        per_page: 25,
        total: 1,
        last_page: 1,
        has_more: false,
        date_range: { start_date: '2026-11-01', end_date: '2026-11-22', max_allowed_days: 180 },
        gaps: [
          {
            created_at: '2026-11-21T00:00:00+00:00',
            reason: 'captcha: the engine asks for proof of a person',
          },
        ],
      },
      links: { first: historyUrl, last: historyUrl, prev: null, next: null },
    },
  },
  'keyword/create-volume-tasks': {
    body: [{ key: volumeTask.key, loc_id: volumeTask.loc_id }],
    reply: [volumeTask],
  },
  'keyword/list-volume-tasks': { reply: { num_items: 1, items: [finishedVolume], cursor: null } },
  'keyword/read-volume-task': { reply: finishedVolume },
  'keyword/find-volumes': {
    body: { keywords: [volumeTask.key], location_code: 2840, language_code: 'en' },
    reply: {
      results: [
        {
          key: volumeTask.key,
          cmp: 0.87,
          cpc: 1.83,
          ms: [{ year: 2026, month: 10, count: 14_800 }],
          sv: 12_100,
          has_data: true,
        },
      ],
    },
  },
  'keyword/create-ideas-task': {
    body: { keywords: ideasTask.keywords, location_code: 2840, language_code: 'en' },
    reply: ideasTask,
  },
  'keyword/read-ideas-task': {
    reply: {
      ...ideasTask,
      status: 'success',
      results: [
        {
          text: 'best coffee grinder',
          keyword_idea_metrics: metrics,
          keyword_annotations: {
            concepts: [{ name: 'coffee', concept_grop: { name: 'Non-Brands', type: 'NON_BRAND' } }],
          },
          has_data: true,
        },
      ],
      aggregate_metric_results: [{ device: 'MOBILE', search_count: 7900 }],
      succeed_at: 1795996802,
      crawled_at: 1795996802,
    },
  },
  'keyword/find-locations': {
    reply: {
      num_items: 1,
      items: [{ name: 'Berlin,State of Berlin,Germany', kind: 'city', iso_code: 'DE', population: 3426354 }],
      cursor: null,
    },
  },
  'keyword/list-engines': {
    reply: {
      num_items: 1,
      items: [
        {
          id: 33146398,
          name: `${engines[defaultEngine].title} Germany, German, desktop`,
          type_name: 'desktop',
          system_name: defaultEngine,
          country_name: 'Germany',
          iso_code: 'DE',
          language: 'German',
          localization: 'de',
        },
      ],
      cursor: null,
    },
  },
  'keyword/suggest': {
    body: suggestRequest,
    reply: { suggestions: ['coffee grinder', 'coffee grinder manual'] },
  },
  'keyword/trends': {
    body: suggestRequest,
    reply: {
      interest_over_time: [
        { date: '2026-11-08', value: 100 },
        { date: '2026-11-15', value: 87 },
      ],
      related_queries: {
        top: [{ query: 'coffee grinder manual', value: 100 }],
        rising: [{ query: 'quiet coffee grinder', value: 250 }],
      },
    },
  },
};
