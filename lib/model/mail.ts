/** Mail: the addresses of a request, the receiver of a delivery, and a message. */
import * as v from 'valibot';
import { KeptText } from './scalar.ts';

/** An address in client input: letters, digits and a few signs, so that it cannot add a header. */
export const MailAddress = v.pipe(
  KeptText,
  v.maxLength(254),
  v.email('value_error: Value error, not an e-mail address'),
);

const scheme = 'mailto:';

/** The receiver of a delivery by mail, in the place of the URL of a webhook. */
export const mailUrl = (address: string): string => `${scheme}${address}`;

/** The address of a delivery by mail; undefined if it is a webhook. */
export const mailAddressOf = (url: string): string | undefined =>
  url.startsWith(scheme) ? url.slice(scheme.length) : undefined;

/** A message in both forms. The subject is one line. */
export const MailMessage = v.object({ subject: v.string(), text: v.string(), html: v.string() });
export type MailMessage = v.InferOutput<typeof MailMessage>;
