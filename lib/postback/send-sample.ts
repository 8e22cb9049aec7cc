/** Sends a sample webhook or mail once, so that a user can try its receiver before the first task ends. */
import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import samples from '../../events/webhooks.json' with { type: 'json' };
import { mailRefusal, receiverOf } from '../access/mail-receiver.ts';
import { whileWaiting } from '../access/wait-slot.ts';
import { AlertPayload } from '../model/alert.ts';
import { HttpError } from '../model/http-error.ts';
import { sampleMailsOfReceiver, sampleMailsOfUser } from '../model/request-limits.ts';
import { type Account, secretsAt } from '../model/user.ts';
import type { WebhookTest, WebhookTestResult } from '../model/webhook-test.ts';
import { sendMail } from '../net/mail.ts';
import { type Posted, postJson } from '../net/post.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { countInWindowBelow } from '../store/limits.ts';
import { alertMessage } from './chat-message.ts';
import { sampleMail } from './mail-message.ts';
import { isSandbox, signedHeaders } from './sign.ts';

const sampleOf: Readonly<Record<string, object>> = samples;

/**
 * Counts a mail in the window of so many seconds.
 * @throws HttpError 429 with `Retry-After` if the window has reached its limit.
 */
const countMail = async (
  name: string,
  { limit, seconds, text }: { limit: number; seconds: number; text: string },
  now: number,
): Promise<void> => {
  const end = (Math.floor(now / seconds) + 1) * seconds;
  if (await countInWindowBelow(limit, name, end)) return;
  throw new HttpError(429, `At most ${limit} samples are sent as mail ${text}`, {
    'Retry-After': String(end - now),
  });
};

const sendWebhook = async (
  account: Account,
  { postback_url, type, format }: WebhookTest & { postback_url: string },
  delivery: string,
  now: number,
): Promise<Posted> => {
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
  return postJson({ url: postback_url, headers, body });
};

const sendAsMail = async (account: Account, to: string, delivery: string, now: number): Promise<Posted> => {
  const refusal = mailRefusal(to, account);
  if (refusal) {
    const fault = { loc: ['body', 'email'], type: 'value_error', msg: `Value error, ${refusal}` };
    throw new HttpError(422, [fault]);
  }
  // A mail cannot be refused as a webhook can, so the samples of all users to one person are counted, too.
  await countMail(`sample-mails#${account.id}`, sampleMailsOfUser, now);
  const receiver = createHash('sha256').update(receiverOf(to)).digest('hex');
  await countMail(`sample-mails-to#${receiver}`, sampleMailsOfReceiver, now);
  const sample = v.parse(AlertPayload, sampleOf.alert);
  return sendMail({ ...sampleMail(sample, account.id), to, delivery });
};

/**
 * The answer of the receiver to the example of a payload in the OpenAPI document. By mail, that of SES.
 * @throws HttpError 429 with `Retry-After` if too many requests of the user wait, or after too many mails;
 * 422 if no mail goes to the address.
 */
export const sendSample = (account: Account, test: WebhookTest, now = clock()): Promise<WebhookTestResult> =>
  whileWaiting(account, async () => {
    const { postback_url, email, type } = test;
    const delivery = `msg_test_${account.id}_${randomBytes(8).toString('hex')}`;
    const started = stopwatch();
    const posted =
      postback_url === null
        ? await sendAsMail(account, email ?? '', delivery, now)
        : await sendWebhook(account, { ...test, postback_url }, delivery, now);
    return {
      webhook_id: delivery,
      type,
      delivered: posted.ok,
      status: posted.status ?? 0,
      milliseconds: stopwatch() - started,
      error: posted.ok ? null : posted.reason,
    };
  });
