/** Sends a mail by SES: one call, limited in time. */
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { MailMessage } from '../model/mail.ts';
import { setting } from '../runtime/env.ts';
import { ses } from '../runtime/ses.ts';
import type { Posted } from './post.ts';

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

type Mail = MailMessage & { to: string; delivery: string };

/**
 * Sends once. SES writes the headers, so no text can add one. It has no key against repetition: if the answer
 * is lost after SES has accepted the mail, the next attempt sends it again, with the same `X-Delivery-Id`.
 * Returns what SES refuses, by the name of the error only: its message contains addresses.
 */
export const sendMail = async ({ to, delivery, subject, text, html }: Mail): Promise<Posted> => {
  const command = new SendEmailCommand({
    FromEmailAddress: setting('MAIL_FROM'),
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: utf8(subject),
        Body: { Text: utf8(text), Html: utf8(html) },
        Headers: [
          { Name: 'Auto-Submitted', Value: 'auto-generated' },
          { Name: 'X-Delivery-Id', Value: delivery },
        ],
      },
    },
  });
  try {
    const { $metadata } = await ses.send(command);
    return { ok: true, status: $metadata.httpStatusCode ?? 200 };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    return { ok: false, ...(status !== undefined && { status }), reason: `SES refused: ${error.name}` };
  }
};
