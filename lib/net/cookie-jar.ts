/** The cookies of one fetch, kept over its redirects and forgotten with it: engines set one and look for it on the next hop. */

type Cookie = { name: string; value: string; domain: string; hostOnly: boolean; secure: boolean };

export type CookieJar = {
  /** Takes the `set-cookie` headers of an answer. */
  keep: (url: URL, setCookies: string[]) => void;
  /** The `cookie` header for a request, empty where there is none. */
  headerFor: (url: URL) => string;
};

const maxCookies = 50;

const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

const parse = (line: string, host: string): { cookie: Cookie; gone: boolean } | undefined => {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const split = pair.indexOf('=');
  const said = new Map(
    attributes.map((attribute) => {
      const [key = '', value = ''] = attribute.split('=', 2);
      return [key.trim().toLowerCase(), value.trim()];
    }),
  );
  const domain = (said.get('domain') ?? '').toLowerCase().replace(/^\./, '');
  const foreign = domain !== '' && (!isUnder(host, domain) || !domain.includes('.'));
  if (split < 1 || foreign) return undefined;
  const expires = Date.parse(said.get('expires') ?? '');
  return {
    cookie: {
      name: pair.slice(0, split),
      value: pair.slice(split + 1),
      domain: domain || host,
      hostOnly: domain === '',
      secure: said.has('secure'),
    },
    gone: Number(said.get('max-age') ?? 1) <= 0 || (!said.has('max-age') && expires < Date.now()),
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
        if (read.gone) cookies.delete(key);
        else if (cookies.size < maxCookies) cookies.set(key, read.cookie);
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
