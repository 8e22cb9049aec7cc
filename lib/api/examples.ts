/** Example bodies and replies of the OpenAPI document. A contract test parses each with its schema. */
import { defaultEngine, engines } from '../model/engine.ts';
import type { Operation } from './routes.ts';

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

export const examples: Partial<Record<Operation, { body?: unknown; reply?: unknown }>> = {
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
  'serp/find-locations': {
    reply: {
      num_items: 1,
      items: [{ name: 'Berlin,State of Berlin,Germany', kind: 'city', iso_code: 'DE', population: 3426354 }],
      cursor: null,
    },
  },
};
