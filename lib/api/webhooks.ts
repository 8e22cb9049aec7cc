/** The webhooks of the OpenAPI document: what a receiver gets, and the headers that sign it (Readings 32 to 35). */
import type { JsonSchema } from './describe-schema.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
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
];

const description =
  'The service posts a finished task to its `postback_url`, signed by Standard Webhooks (standardwebhooks.com). Any 2xx status within 10 seconds ' +
  'acknowledges it. Otherwise the service tries again after 60, 120, 240 and 480 seconds, and then parks the delivery. Redirects are not followed. ' +
  'A delivery can arrive more than once.';

const webhook = (operationId: string, summary: string, schema: JsonSchema) => ({
  post: {
    operationId,
    tags: ['webhooks'],
    summary,
    description,
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'The delivery is acknowledged' },
      default: { description: 'The service tries again' },
    },
  },
});

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const webhooks = {
  v2TaskFinished: webhook('v2TaskFinished', 'A task of version 2 has finished', reference('SerpPayload')),
  v1TaskFinished: webhook('v1TaskFinished', 'A task of version 1 has finished', reference('SerpTask')),
};
