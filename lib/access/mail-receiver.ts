/**
 * Who may get mail. The service sends none to an address that only a client names: it goes to the address
 * that an admin has given the user, and to the domains that the operator allows.
 */
import { setting } from '../runtime/env.ts';

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Why no mail of this user may go to an address; undefined if it may. */
export const mailRefusal = (address: string, { email = '' }: { email?: string }): string | undefined => {
  if (setting('MAIL_FROM') === '') return 'the service sends no mail: its operator has not set MAIL_FROM';
  const [given, own] = [address.toLowerCase(), email.toLowerCase()];
  const domains = setting('MAIL_TO_DOMAINS').toLowerCase().split(',');
  return given === own || domains.includes(domainOf(given))
    ? undefined
    : 'mail goes to the address of the user and to the domains that the operator allows (MAIL_TO_DOMAINS)';
};
