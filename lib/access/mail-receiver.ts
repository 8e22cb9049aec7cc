/**
 * Who may get mail. The service sends none to an address that only a client names: it goes to the address
 * that an admin has given the user, and to the domains that the operator allows.
 */
import { asciiMailAddress, asciiMailDomain } from '../model/mail-address.ts';
import { setting } from '../runtime/env.ts';

/** The form in which two addresses are the same. */
const normal = (address: string): string => (asciiMailAddress(address) ?? address).toLowerCase();

/** The person behind an address: `a+1@example.com` is `a@example.com`. */
export const receiverOf = (address: string): string => normal(address).replace(/^([^+@]+)\+.*(?=@)/, '$1');

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Why no mail of this user may go to an address; undefined if it may. */
export const mailRefusal = (address: string, { email = '' }: { email?: string }): string | undefined => {
  if (setting('MAIL_FROM') === '') return 'the service sends no mail: its operator has not set MAIL_FROM';
  const [given, own] = [normal(address), normal(email)];
  const domains = setting('MAIL_TO_DOMAINS').split(',').map(asciiMailDomain);
  return given === own || domains.includes(domainOf(given))
    ? undefined
    : 'mail goes to the address of the user and to the domains that the operator allows (MAIL_TO_DOMAINS)';
};
