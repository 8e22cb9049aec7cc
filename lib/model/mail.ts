/** Mail: the addresses of a request, and a message. */
import * as v from 'valibot';
import { asciiMailAddress } from './mail-address.ts';
import { KeptText } from './scalar.ts';

const isAddress = (address: string): boolean => (asciiMailAddress(address)?.length ?? 255) <= 254;

/** An address in client input. Its output has the domain in the form of the DNS. */
export const MailAddress = v.pipe(
  KeptText,
  v.maxLength(254),
  v.check(isAddress, 'value_error: Value error, not an e-mail address'),
  v.metadata({ format: 'email' }),
  v.transform((address) => asciiMailAddress(address) ?? address),
);

/** A message in both forms. The subject is one line. */
export const MailMessage = v.object({ subject: v.string(), text: v.string(), html: v.string() });
export type MailMessage = v.InferOutput<typeof MailMessage>;
