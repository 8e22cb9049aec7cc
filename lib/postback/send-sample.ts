/** Sends a sample webhook once, so that a user can try its receiver before the first task ends. */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import samples from '../../events/webhooks.json' with { type: 'json' };
import { whileWaiting } from '../access/wait-slot.ts';
import { AlertPayload } from '../model/alert.ts';
import { type Account, secretsAt } from '../model/user.ts';
import type { WebhookTest, WebhookTestResult } from '../model/webhook-test.ts';
import { postJson } from '../net/post.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { alertMessage } from './chat-message.ts';
import { isSandbox, signedHeaders } from './sign.ts';

const sampleOf: Readonly<Record<string, object>> = samples;

/**
 * The answer of the receiver to the example of a payload in the OpenAPI document.
 * @throws HttpError 429 with `Retry-After` if too many requests of the user wait.
 */
export const sendSample = (
  account: Account,
  { postback_url, type, format }: WebhookTest,
  now = clock(),
): Promise<WebhookTestResult> =>
  whileWaiting(account, async () => {
    const delivery = `msg_test_${account.id}_${randomBytes(8).toString('hex')}`;
    const sample =
      type === 'alert' ? alertMessage(v.parse(AlertPayload, sampleOf.alert), format) : sampleOf[type];
    const body = JSON.stringify(sample);
    const headers = {
      'content-type': 'application/json',
      'webhook-type': type,
      'x-webhook-test': 'true',
      ...(isSandbox() && { 'x-search-source': 'sandbox' }),
      ...signedHeaders(secretsAt(account, now), { delivery, timestamp: now, body }),
    };
    const started = stopwatch();
    const posted = await postJson({ url: postback_url, headers, body });
    return {
      webhook_id: delivery,
      type,
      delivered: posted.ok,
      status: posted.status ?? 0,
      milliseconds: stopwatch() - started,
      error: posted.ok ? null : posted.reason,
    };
  });
