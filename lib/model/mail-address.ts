/** Addresses of mail, without the code of schemas. */

const localPart = /^(?=.{1,64}$)[\w+-]+(?:\.[\w+-]+)*$/;
const typedDomain = /^[\p{L}\p{N}\p{M}.-]+$/u;
const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
const asciiDomain = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?:[a-z]{2,63}|xn--[a-z\\d-]{0,58}[a-z\\d])$`);

/** A domain in the form of the DNS: `xn--exmple-cua.com` for `exämple.com`; undefined if it is none. */
export const asciiMailDomain = (domain: string): string | undefined => {
  const ascii = typedDomain.test(domain) ? (URL.parse(`https://${domain}`)?.hostname ?? '') : '';
  return asciiDomain.test(ascii) ? ascii : undefined;
};

/**
 * An address as SES takes it: its domain in the form of the DNS; undefined if it is no address. It has
 * letters, digits and a few signs only, so that it cannot add a header.
 */
export const asciiMailAddress = (address: string): string | undefined => {
  const at = address.lastIndexOf('@');
  const domain = asciiMailDomain(address.slice(at + 1));
  return domain && localPart.test(address.slice(0, Math.max(0, at)))
    ? `${address.slice(0, at)}@${domain}`
    : undefined;
};
