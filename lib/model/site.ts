/** A tracked site: the host, and perhaps the path, that a request names in `domain` or in a competitor. */
import { parse } from 'tldts';
import { readChannelOrVideo } from './channel.ts';
import type { ResultItem } from './result.ts';

/** A host in ASCII without `www.`, and a path with query. An empty path covers the whole host. */
export type Site = { host: string; path: string };

/**
 * The host of an item's page without `www.`; empty if there is none. Only organic items and ads have a
 * `domain`. For other items it is the host of the URL, unless that is the engine's own link.
 */
export const domainOf = ({
  domain,
  url,
  url_resolution,
}: Pick<ResultItem, 'domain' | 'url' | 'url_resolution'>): string =>
  domain ?? (url_resolution === 'opaque' ? '' : (URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''));

/** Parses a host or a URL, with or without scheme. */
const urlOf = (text: string): URL | null =>
  URL.parse(`http://${text.trim().replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '')}`);

/**
 * The site of a host or a URL, with or without scheme. Invalid input gets the host '', which matches no
 * result.
 */
export const readSite = (text: string): Site => {
  const url = urlOf(text);
  if (!url) return { host: '', path: '' };
  const path = `${url.pathname}${url.search}`;
  return {
    host: url.hostname.replace(/\.$/, '').replace(/^www\./, ''),
    path: decode(path).replace(/\/$/, ''),
  };
};

/** Gives `%c3%a9` and `%C3%A9` the same spelling. Invalid percent-encoding stays unchanged. */
const decode = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

/**
 * The suffix of the sandbox's results. It is reserved for examples (RFC 2606), so it is in no list of public
 * suffixes.
 */
const exampleSuffix = 'example';

const isHostName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => /^(?!-)[a-z\d_-]{1,63}(?<!-)$/.test(label));

const isUnderPublicSuffix = (host: string): boolean => {
  const { isIcann, domain, publicSuffix } = parse(host, { extractHostname: false });
  return domain !== null && (isIcann === true || publicSuffix === exampleSuffix);
};

/**
 * Whether a text names a site that can be tracked: a host name under a public suffix, once scheme, port, path
 * and `www.` are taken off (Reading 16). An e-mail address names no site.
 */
export const isTrackable = (text: string): boolean => {
  const { host } = readSite(text);
  return urlOf(text)?.username === '' && isHostName(host) && isUnderPublicSuffix(host);
};

/** The keys of sites that were read last. A project has few sites, and each keyword names one. */
const keys = new Map<string, string>();
const keptKeys = 1000;

const readKey = (text: string): string => {
  if (isTrackable(text)) {
    const { host, path } = readSite(text);
    return host + path;
  }
  const channel = readChannelOrVideo(text);
  return channel ? `${channel.kind}:${channel.name}` : text.trim();
};

/** The same text for all spellings of a site: `WWW.Example.com`, `https://example.com/`. */
export const siteKey = (text: string): string => {
  const known = keys.get(text);
  if (known !== undefined) return known;
  const key = readKey(text);
  if (keys.size >= keptKeys) keys.clear();
  keys.set(text, key);
  return key;
};

/** Whether two texts name the same site. */
export const isSameSite = (one: string, other: string): boolean =>
  one === other || siteKey(one) === siteKey(other);

/** Each site once, in the spelling that comes first. */
export const uniqueSites = (texts: readonly string[]): string[] =>
  texts.filter((text, n) => texts.findIndex((other) => isSameSite(other, text)) === n);
