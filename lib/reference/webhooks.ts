/**
 * The webhooks of the OpenAPI document: what a receiver gets, and the headers that sign it (Readings 32 to
 * 35).
 */

import type * as v from 'valibot';
import { AlertPayload } from '../model/alert.ts';
import { BatchPayload } from '../model/batch.ts';
import { V2Payload } from '../model/delivery.ts';
import { IdeasTask, KeywordDataTask } from '../model/keyword-task.ts';
import { V1Task } from '../model/v1-task.ts';
import { typesByKind, v2Type, type WebhookType, webhookTypes } from '../model/webhook-type.ts';
import { finishedBatch, finishedTask, finishedV1Task, type Shown, shownExample } from './examples.ts';
import type { Components } from './schemas.ts';

const header = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  example,
  schema: { type: 'string' },
});

/** The headers of a delivery. */
export const webhookHeaders = [
  header(
    'webhook-id',
    'The id of the delivery: the same on every attempt. Use it, or the `id` of the task, to ignore a ' +
      'delivery that arrives twice',
    'msg_1_3767392204849152_1',
  ),
  header(
    'webhook-type',
    `What the payload is: ${webhookTypes.map((type) => `\`${type}\``).join(', ')}`,
    v2Type,
  ),
  header('webhook-timestamp', 'When the attempt was made, in Unix seconds. Refuse old ones', '1795996803'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, with your ' +
      'webhook secret as key (the base64 after `whsec_`). ' +
      'While a secret is rotated, there are two signatures, separated by a space',
    'v1,kDJVb8yIt7MwWzdg27GULpNmCM2KuXjiJ5ub5htwoYk=',
  ),
  header('x-search-source', '`sandbox`: the results are invented. Absent otherwise', 'sandbox', false),
  header('x-webhook-test', '`true`: a sample that you asked for. Its task does not exist', 'true', false),
];

/** What is true of all webhooks. The document says it once, at their tag. */
export const aboutWebhooks =
  'The service posts a finished task to its `postback_url`, signed by Standard Webhooks ' +
  '(standardwebhooks.com). Any 2xx status within 10 seconds acknowledges it. Otherwise the service tries ' +
  'again after 60, 120, 240 and 480 seconds, and then parks the delivery. Redirects are not followed. A ' +
  'delivery can arrive more than once.';

const description = 'A signed POST. The tag `webhooks` says when it is repeated.';

/** A search without `domain` that has succeeded. */
const untracked: Shown = { values: { keyword_id: null, domain: null, error_message: null } };

/** The webhooks: the summary of each, its payload, and what its example shows. */
const webhooks: Record<
  string,
  { type: WebhookType; summary: string; payload: v.GenericSchema; shown: Shown }
> = {
  v2TaskFinished: {
    type: v2Type,
    summary: 'A task of version 2 has finished',
    payload: V2Payload,
    shown: untracked,
  },
  v1TaskFinished: {
    type: typesByKind.serp,
    summary: 'A task of version 1 has finished',
    payload: V1Task,
    shown: finishedV1Task,
  },
  batchFinished: {
    type: typesByKind.batch,
    summary: 'All tasks of a batch have finished',
    payload: BatchPayload,
    shown: finishedBatch,
  },
  volumeTaskFinished: {
    type: typesByKind.keyword,
    summary: 'A keyword task has finished',
    payload: KeywordDataTask,
    shown: { ...finishedTask, of: 'keyword/create-volume-tasks' },
  },
  ideasTaskFinished: {
    type: typesByKind.ideas,
    summary: 'A task of keyword ideas has finished',
    payload: IdeasTask,
    shown: { ...finishedTask, of: 'keyword/create-ideas-task' },
  },
  alert: {
    type: typesByKind.alert,
    summary: 'Tracked keywords of a project have changed',
    payload: AlertPayload,
    shown: {},
  },
};

/** The webhooks of the document, by the ids of their operations. */
export const describeWebhooks = (components: Components) =>
  Object.fromEntries(
    Object.entries(webhooks).map(([operationId, { summary, payload, shown }]) => {
      const schema = components.schemaOf(payload, 'response');
      const example = shownExample(schema, components, shown);
      const post = {
        operationId,
        tags: ['webhooks'],
        summary,
        description,
        security: [],
        parameters: webhookHeaders.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses: {
          '2XX': { description: 'The delivery is acknowledged' },
          default: { description: 'The service tries again' },
        },
      };
      return [operationId, { post }];
    }),
  );

/** The example of each payload by the type of its webhook. `events/webhooks.json` has them. */
export const webhookSamples = (components: Components): Record<string, unknown> =>
  Object.fromEntries(
    Object.values(webhooks).map(({ type, payload, shown }) => [
      type,
      shownExample(components.schemaOf(payload, 'response'), components, shown),
    ]),
  );
