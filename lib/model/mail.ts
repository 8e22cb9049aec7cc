/** Mail: the addresses of a request, and a message. */
import * as v from 'valibot';
import { KeptText } from './scalar.ts';

/** An address in client input: letters, digits and a few signs, so that it cannot add a header. */
export const MailAddress = v.pipe(
  KeptText,
  v.maxLength(254),
  v.email('value_error: Value error, not an e-mail address'),
);

/** A message in both forms. The subject is one line. */
export const MailMessage = v.object({ subject: v.string(), text: v.string(), html: v.string() });
export type MailMessage = v.InferOutput<typeof MailMessage>;
