/**
 * The cookies of one fetch, kept across its redirects and the requests that follow it. Engines set a cookie
 * and expect it on the next hop.
 */
import { clockMs } from '../runtime/clock.ts';

type Cookie = { name: string; value: string; domain: string; hostOnly: boolean; secure: boolean };

export type CookieJar = {
  /** Stores the cookies of the `set-cookie` headers of an answer. */
  keep: (url: URL, setCookies: string[]) => void;
  /** The `cookie` header for a request; empty if no cookie matches. */
  headerFor: (url: URL) => string;
};

const maxCookies = 50;

/** Browsers ignore a longer one (RFC 6265bis, section 5.6). */
const maxCharacters = 4096;

const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

const parse = (line: string, host: string): { cookie: Cookie; isExpired: boolean } | undefined => {
  const [pair = '', ...parts] = line.split(';').map((part) => part.trim());
  const equalsAt = pair.indexOf('=');
  const attributes = new Map(
    parts.map((part) => {
      const [key = '', value = ''] = part.split('=', 2);
      return [key.trim().toLowerCase(), value.trim()];
    }),
  );
  const domain = (attributes.get('domain') ?? '').toLowerCase().replace(/^\./, '');
  const isForeign = domain !== '' && (!isUnder(host, domain) || !domain.includes('.'));
  if (equalsAt < 1 || isForeign || pair.length - 1 > maxCharacters) return undefined;
  const expires = Date.parse(attributes.get('expires') ?? '');
  return {
    cookie: {
      name: pair.slice(0, equalsAt),
      value: pair.slice(equalsAt + 1),
      domain: domain || host,
      hostOnly: domain === '',
      secure: attributes.has('secure'),
    },
    isExpired:
      Number(attributes.get('max-age') ?? 1) <= 0 || (!attributes.has('max-age') && expires < clockMs()),
  };
};

export const cookieJar = (): CookieJar => {
  const cookies = new Map<string, Cookie>();
  return {
    keep: (url, setCookies) => {
      for (const line of setCookies) {
        const read = parse(line, url.hostname);
        if (!read) continue;
        const key = `${read.cookie.domain} ${read.cookie.name}`;
        if (read.isExpired) cookies.delete(key);
        else if (cookies.size < maxCookies || cookies.has(key)) cookies.set(key, read.cookie);
      }
    },
    headerFor: ({ hostname, protocol }) =>
      [...cookies.values()]
        .filter(({ domain, hostOnly }) => (hostOnly ? hostname === domain : isUnder(hostname, domain)))
        .filter(({ secure }) => !secure || protocol === 'https:')
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  };
};
