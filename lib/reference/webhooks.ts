/** The webhooks of the OpenAPI document: what a receiver gets, and the headers that sign it (Readings 32 to 35). */

import * as v from 'valibot';
import { routes } from '../api/routes.ts';
import { defaultEngine } from '../model/engine.ts';
import type { JsonSchema } from './describe-schema.ts';
import { examples } from './examples.ts';

const header = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  example,
  schema: { type: 'string' },
});

const headers = [
  header(
    'webhook-id',
    'The id of the delivery: the same on every attempt. Use it, or the `id` of the task, to ignore a delivery that arrives twice',
    'msg_1_3767392204849152_1',
  ),
  header('webhook-timestamp', 'When the attempt was made, in Unix seconds. Refuse old ones', '1795996803'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, with your webhook secret as key (the base64 after `whsec_`). ' +
      'While a secret is rotated, there are two signatures, separated by a space',
    'v1,kDJVb8yIt7MwWzdg27GULpNmCM2KuXjiJ5ub5htwoYk=',
  ),
  header('x-search-source', '`sandbox`: the results are invented. Absent otherwise', 'sandbox', false),
];

const description =
  'The service posts a finished task to its `postback_url`, signed by Standard Webhooks (standardwebhooks.com). Any 2xx status within 10 seconds ' +
  'acknowledges it. Otherwise the service tries again after 60, 120, 240 and 480 seconds, and then parks the delivery. Redirects are not followed. ' +
  'A delivery can arrive more than once.';

const webhook = (operationId: string, summary: string, schema: JsonSchema, example: unknown) => ({
  post: {
    operationId,
    tags: ['webhooks'],
    summary,
    description,
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'The delivery is acknowledged' },
      default: { description: 'The service tries again' },
    },
  },
});

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const payload = {
  id: 3767392204849152,
  status: 'success',
  keyword: 'coffee grinder',
  location_name: 'Berlin,Germany',
  iso_code: 'DE',
  device: 'mobile',
  depth: 20,
  language_code: 'de',
  created_at: 1795996800,
  succeed_at: 1795996802,
  result: {
    organic: [
      {
        position: 1,
        title: 'Coffee grinders compared',
        url: 'https://www.example.com/coffee-grinders',
        domain: 'example.com',
        description: 'Twelve grinders, one bag of beans.',
      },
    ],
    ads: [],
    local_pack: [],
    featured_snippet: null,
    total_results: 'About 1,230,000 results',
    search_time: 0.42,
  },
  tracking: null,
  top_domains: ['example.com'],
  html_url: 'https://api.example.com/pages/1.1796083200.aHRtbC9h.AAAA',
  post_id: 'order-17',
  keyword_id: null,
  domain: null,
  error_message: null,
  crawled_at: 1795996801,
  reused: false,
  complete: true,
  warnings: [],
};

const alert = {
  id: 3767392204849190,
  project_id: 3767392204849160,
  project_name: 'Coffee shop',
  alert_date: '2026-11-22',
  created_at: 1795996800,
  changes: [
    {
      keyword_id: 3767392204849161,
      keyword: 'coffee grinder',
      engine: defaultEngine,
      location_name: 'Berlin,Germany',
      device: 'desktop',
      domain: 'example.com',
      reasons: ['moved', 'entered_top_3'],
      previous_position: 10,
      position: 2,
      movement: 8,
      url: 'https://www.example.com/coffee-grinders',
      cited: null,
      lost_to: null,
      crawled_at: 1795996700,
    },
  ],
};

/** The example answer of an operation, with all fields. */
const replyOf = (operation: keyof typeof routes): unknown =>
  v.parse<v.GenericSchema>(routes[operation].reply, examples[operation]?.reply);

export const webhooks = {
  v2TaskFinished: webhook(
    'v2TaskFinished',
    'A task of version 2 has finished',
    reference('SerpPayload'),
    payload,
  ),
  v1TaskFinished: webhook(
    'v1TaskFinished',
    'A task of version 1 has finished',
    reference('SerpTask'),
    replyOf('serp/read-task'),
  ),
  batchFinished: webhook(
    'batchFinished',
    'All tasks of a batch have finished',
    reference('Batch'),
    replyOf('serp/read-batch'),
  ),
  volumeTaskFinished: webhook(
    'volumeTaskFinished',
    'A keyword task has finished',
    reference('KeywordDataTask'),
    replyOf('keyword/read-volume-task'),
  ),
  ideasTaskFinished: webhook(
    'ideasTaskFinished',
    'A task of keyword ideas has finished',
    reference('IdeasTask'),
    replyOf('keyword/read-ideas-task'),
  ),
  alert: webhook('alert', 'Tracked keywords of a project have changed', reference('AlertPayload'), alert),
};
