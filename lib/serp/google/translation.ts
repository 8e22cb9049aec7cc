/**
 * Reads the address of a page from a link to Google's translation of it. Results in another language may
 * have such a link, and show the address of the original.
 */

/** A translated page has another host: `clay--kiln-example-com` for `clay-kiln.example.com`. */
const proxy = '.translate.goog';

/** The services that get the address of a page as `u`. */
const service = /^translate\.google(?:\.[a-z]{2,3}){1,2}$/;
const servicePath = /^\/(?:translate|website|translate_p|translate_c)$/;

export const mayBeTranslation = (host: string): boolean => host.endsWith(proxy) || service.test(host);

/** Before a host with hyphens in unusual places is a number of its form. */
const hostIn = (label: string): string =>
  label
    .replace(/^[01]-/, '')
    .split('--')
    .map((part) => part.replaceAll('-', '.'))
    .join('-');

const originalOfProxy = (url: URL): string | null => {
  const host = hostIn(url.hostname.slice(0, -proxy.length));
  if (!/^[a-z0-9.-]+\.[a-z][a-z0-9-]*[a-z0-9]$/.test(host)) return null;
  const others = [...url.searchParams].filter(([name]) => !name.startsWith('_x_tr_'));
  const query = others.length === 0 ? '' : `?${new URLSearchParams(others)}`;
  const scheme = url.searchParams.get('_x_tr_sch') === 'http' ? 'http' : 'https';
  return `${scheme}://${host}${url.pathname}${query}`;
};

/** The address of the translated page; null if the link is to no translation, or does not say it. */
export const originalOf = (url: URL): string | null => {
  if (url.hostname.endsWith(proxy)) return originalOfProxy(url);
  if (!service.test(url.hostname) || !servicePath.test(url.pathname)) return null;
  const original = url.searchParams.get('u') ?? '';
  return /^https?:\/\//.test(original) ? original : null;
};
