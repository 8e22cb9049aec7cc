/** A sample webhook that a user sends to its own receiver (Reading 33). */
import * as v from 'valibot';
import { alertFormats } from './chat-message.ts';
import { component, described, keysOf } from './described.ts';
import { MailAddress } from './mail.ts';
import { choice, fields, Text, WebhookUrl } from './scalar.ts';
import { v2Type, webhookTypes } from './webhook-type.ts';

const receiver = v.optional(v.nullable(v.pipe(WebhookUrl, v.minLength(1))), null);

export const WebhookTest = component(
  'WebhookTest',
  'A request for a sample webhook',
  v.pipe(
    fields({
      postback_url: described(
        receiver,
        'The URL of the receiver: HTTPS, at a public address',
        'https://hooks.example.com/searches',
      ),
      email: described(
        v.optional(v.nullable(MailAddress), null),
        'Instead: who gets a sample of an alert as mail',
        'ranks@example.com',
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
        ({ postback_url, email }) => postback_url !== null || email !== null,
        'missing: Field required',
      ),
      ['postback_url'],
    ),
    v.forward(
      v.check(
        ({ postback_url, email, type, format }) =>
          email === null || (postback_url === null && type === 'alert' && format === 'standard'),
        'value_error: Value error, only alerts are sent as mail, without postback_url and format',
      ),
      ['email'],
    ),
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
    webhook_id: described(
      Text,
      'Its header `webhook-id`, or `X-Delivery-Id` of a mail',
      'msg_test_1_9f86d081884c7d65',
    ),
    type: described(v.picklist(webhookTypes), 'Its header `webhook-type`', v2Type),
    delivered: described(v.boolean(), 'Whether it was accepted, with a 2xx status, in time', true),
    status: described(v.number(), 'The HTTP status of the receiver; 0 if it did not answer', 204),
    milliseconds: described(v.number(), 'How long the attempt took', 84),
    error: described(
      v.nullable(v.string()),
      'Why it was not delivered: `unreachable:`, `timeout:`, `SES refused:` or the status. Null if it was',
      null,
    ),
  }),
);
export type WebhookTestResult = v.InferOutput<typeof WebhookTestResult>;
