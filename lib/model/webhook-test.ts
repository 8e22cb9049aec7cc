/** A sample webhook that a user sends to its own receiver (Reading 33). */
import * as v from 'valibot';
import { alertFormats } from './chat-message.ts';
import { component, described, keysOf } from './described.ts';
import { choice, fields, Text, WebhookUrl } from './scalar.ts';
import { v2Type, webhookTypes } from './webhook-type.ts';

export const WebhookTest = component(
  'WebhookTest',
  'A request for a sample webhook',
  v.pipe(
    fields({
      postback_url: described(
        v.pipe(WebhookUrl, v.minLength(1)),
        'The URL of the receiver. It must be HTTPS, at a public address',
        'https://hooks.example.com/searches',
      ),
      type: described(v.optional(choice(webhookTypes), v2Type), 'What the sample is', v2Type),
      format: described(
        v.optional(choice(keysOf(alertFormats)), 'standard'),
        'The form of a sample of an alert, as in `AlertRuleRequest`',
        'standard',
      ),
    }),
    v.forward(
      v.check(
        ({ type, format }) => format === 'standard' || type === 'alert',
        'value_error: Value error, only alerts have this form',
      ),
      ['format'],
    ),
  ),
);
export type WebhookTest = v.InferOutput<typeof WebhookTest>;

export const WebhookTestResult = component(
  'WebhookTestResult',
  'How the receiver answered a sample webhook',
  v.object({
    webhook_id: described(Text, 'The header `webhook-id` of the sample', 'msg_test_1_9f86d081884c7d65'),
    type: described(v.picklist(webhookTypes), 'The header `webhook-type` of the sample', v2Type),
    delivered: described(
      v.boolean(),
      'Whether the receiver acknowledged it: with a 2xx status, in time',
      true,
    ),
    status: described(v.number(), 'The HTTP status of the receiver; 0 if it did not answer', 204),
    milliseconds: described(v.number(), 'How long the attempt took', 84),
    error: described(
      v.nullable(v.string()),
      'Why it was not delivered: `unreachable:`, `timeout:` or the status, in a sentence. Null if it was',
      null,
    ),
  }),
);
export type WebhookTestResult = v.InferOutput<typeof WebhookTestResult>;
