/** Reads the host of a result from its URL or its breadcrumb. */

import { getDomain, parse } from 'tldts';
import type { Target } from './link.ts';

/**
 * A host that a URL parser leaves as it is: in ASCII and in lower case, without a port. The last label begins
 * with a letter, as no address does.
 */
const plainHost = /^https?:\/\/((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*)(?=[/?#]|$)/;

/** The host in a URL. Most hosts are plain, and a URL parser is several times slower. */
const parsedHost = (url: string): string => {
  const plain = plainHost.exec(url)?.[1];
  if (plain !== undefined && !plain.includes('xn--')) return plain;
  const host = /^https?:\/\//i.test(url) ? (URL.parse(url)?.hostname ?? '') : '';
  // A name with a dot at its end is the same name.
  return host.endsWith('.') ? host.slice(0, -1) : host;
};

/** The host of an http(s) URL without `www.`; empty if there is none. */
export const hostOf = (url: string): string => {
  const host = parsedHost(url);
  return host.startsWith('www.') ? host.slice(4) : host;
};

/**
 * The host in a breadcrumb (`https://www.example.com › a › b`, `example.com › a`); empty if the breadcrumb
 * shows only a name.
 */
export const shownHost = (breadcrumb: string): string => {
  const shown =
    /^(?:https?:\/\/)?([\p{L}\p{M}\p{N}._-]+\.\p{L}[\p{L}\p{M}\p{N}-]*\p{L})(?::\d+)?(?:$|[\s/›>?])/u.exec(
      breadcrumb.trim(),
    )?.[1];
  return shown ? hostOf(`https://${shown.toLowerCase()}`) : '';
};

/** The host that an item counts for: that of its target, or the shown one if the target is unknown. */
export const domainOf = ({ url, url_resolution }: Target, breadcrumb: string): string =>
  url_resolution === 'opaque' ? shownHost(breadcrumb) : hostOf(url);

/**
 * A title without an address of its own site before it: `example.com · Tea` is the title `Tea`. For a result
 * that shows no other address.
 */
export const splitAddress = (text: string, url: string): { address: string; title: string } => {
  const [, address = '', title = ''] =
    /^((?:https?:\/\/)?\S{1,200}(?:\s[›»/>]\s\S{1,100}){0,6})\s+[·•|–—›»-]\s+(.*)$/su.exec(text) ?? [];
  const isOwn = title !== '' && address === address.toLowerCase() && isSameSite(url, address);
  return isOwn ? { address, title } : { address: '', title: text };
};

/** Whether a URL and a shown address have the same site: one host, or hosts of one registered domain. */
export const isSameSite = (url: string, address: string): boolean => {
  const [host, shown] = [hostOf(url), shownHost(address)];
  return shown !== '' && (host === shown || getDomain(host) === getDomain(shown));
};

/** Top-level names that are reserved for examples. */
const reserved = /\.(?:example|test|invalid|localhost)$/;

/**
 * Whether a shown address is surely that of another site than the URL. `Node.js` looks like a host, but is
 * under no registered top-level name, so it is the name of a site.
 */
export const isOtherSite = (url: string, address: string): boolean => {
  const shown = shownHost(address);
  if (shown === '' || isSameSite(url, address)) return false;
  return parse(shown).isIcann === true || reserved.test(shown);
};
