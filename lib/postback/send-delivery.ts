/** Sends a delivery: a webhook to its URL, or a mail to its address. */
import * as v from 'valibot';
import { mailRefusal } from '../access/mail-receiver.ts';
import type { AnyPayload } from '../model/delivery.ts';
import { MailMessage } from '../model/mail.ts';
import { mailAddressOf } from '../model/mail-url.ts';
import type { Account } from '../model/user.ts';
import { type Posted, postJson } from '../net/post.ts';
import { signedPost } from './compose.ts';

/**
 * Makes everything ready for an attempt, and returns what sends it once.
 * @throws if the delivery cannot be made ready, so that no attempt is used up.
 */
export const readyToSend = async (
  url: string,
  payload: AnyPayload,
  account: Account,
  about: Parameters<typeof signedPost>[2],
): Promise<() => Promise<Posted>> => {
  const to = mailAddressOf(url);
  if (to === undefined) {
    const post = signedPost(payload, account, about);
    return () => postJson({ url, ...post });
  }
  const message = v.parse(MailMessage, payload);
  const refusal = mailRefusal(to, account);
  if (refusal) return async () => ({ ok: false, reason: refusal });
  // Imported on demand: few deliveries are mails, but the client of SES would slow down every cold start.
  const { sendMail } = await import('../net/mail.ts');
  return () => sendMail({ ...message, to, delivery: about.delivery });
};
