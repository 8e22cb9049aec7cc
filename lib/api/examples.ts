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

export const examples: Partial<Record<Operation, { body?: unknown; reply?: unknown }>> = {
  'serp/create-google-task': { body: request, reply: awaiting },
  'serp/create-google-batch': { body: [request], reply: [awaiting] },
  'serp/read-google-task': { reply: finished },
  'serp/find-locations': {
    reply: {
      num_items: 1,
      items: [{ name: 'Berlin,State of Berlin,Germany', kind: 'city', iso_code: 'DE', population: 3426354 }],
      cursor: null,
    },
  },
};
