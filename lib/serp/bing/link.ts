/** Reads the targets of Bing's links: unwraps redirects offline, and excludes Bing's own pages. */

import type { Element } from 'domhandler';
import { publishedOf } from '../amp.ts';
import type { Test } from '../dom.ts';
import {
  decoded,
  maxRedirects,
  parameter,
  rawParameter,
  type Target,
  targetAfter,
  urlOf,
  withScheme,
} from '../link.ts';
import { once } from '../page-cache.ts';
import { address } from './address.ts';

/** Some clients are sent to `www2` or `www4`, some in China to `cn` or `global`. */
const engineHost = /^(?:(?:[a-z]{2,4}\d?|global)\.)?bing\.com$/;
const adHost = /\.r\.(?:msn|bat\.bing)\.com$/;

/**
 * The services on the engine's host. Their start pages can rank; with parameters, they are searches or
 * redirects.
 */
const service =
  /^\/(?:(?:search|copilotsearch|chat|images|videos|news|maps|local|shop|shopping|travel|academic|dict|homes|jobs|translator|rewards|rebates|account|saves|work|hp|spotlight|entities)\b.*\?|(?:aclick|aclk|alink|ck|newtabredir|fd|rp|rs|th|sa|cache|challenge|profile|settings)(?![\w-]))/;

export const isEngineHost = (host: string): boolean => engineHost.test(host);

const parse = (href: string): URL | null => urlOf(href, address.origin);

const fromBase64 = (text: string): string => Buffer.from(decoded(text), 'base64').toString('utf8');

/** `a1` and base64url: the target as it is, or a path on the engine's host. */
const ofClick = (url: URL): string => {
  const token = rawParameter(url, 'u');
  return token.startsWith('a1') ? fromBase64(token.slice(2)) : '';
};

/** Base64 of the target, which is percent-encoded or not, or the percent-encoded target. */
const ofAd = (url: URL): string => {
  const token = rawParameter(url, 'u');
  const plain = decoded(token);
  return /^https?:/.test(plain) ? plain : decoded(fromBase64(token));
};

const redirects: [RegExp, (url: URL) => string][] = [
  [/^\/ck\/a$/, ofClick],
  [/^\/acli?c?k$/, ofAd],
  [/^\/alink\/link$/, (url) => parameter(url, 'url')],
  [/^\/newtabredir$/, (url) => parameter(url, 'url')],
  [/^\/news\/apiclick\.aspx$/, (url) => parameter(url, 'url')],
];

/** The text that a redirect wraps, or null if the URL is no redirect. */
const wrappedIn = (url: URL): string | null => {
  if (adHost.test(url.hostname)) return ofAd(url);
  if (!isEngineHost(url.hostname)) return publishedOf(url);
  return redirects.find(([path]) => path.test(url.pathname))?.[1](url) ?? null;
};

/** Most links do not name the engine, its ad network or a cache, so they need not be taken apart. */
const namesEngine = /bing\.com|\.r\.msn\.com|ampproject\.org|bing-amp\.com/i;

const isRelative = (href: string): boolean => !/^(?:https?:)?\/\//i.test(href);

/**
 * The target of a link on the page. Null if the link has no target, or leads to a page of the engine itself.
 * A redirect that cannot be read is `opaque`.
 */
export const targetOf = (href: string | undefined): Target | null => {
  let link = href?.trim() ?? '';
  for (let count = 0; count <= maxRedirects; count += 1) {
    if (link === '' || isRelative(link)) {
      // A relative redirect to a target is one of the engine's own redirects.
      if (!/^\/(?:ck\/a|acli?c?k|alink\/link|newtabredir|news\/apiclick\.aspx)\?/.test(link)) return null;
      link = `${address.origin}${link}`;
    }
    const written = withScheme(link);
    const found = targetAfter(count, written);
    if (!namesEngine.test(written)) return URL.canParse(written) ? found : null;
    const url = parse(written);
    if (!url) return null;
    const wrapped = wrappedIn(url);
    if (wrapped === null) {
      const isOwn = isEngineHost(url.hostname) && service.test(`${url.pathname}${url.search}`);
      return isOwn ? null : found;
    }
    if (!/^(?:https?:\/)?\/./.test(wrapped) || !URL.canParse(wrapped, address.origin))
      return { url: url.href, url_resolution: 'opaque' };
    link = wrapped;
  }
  return { url: parse(link)?.href ?? '', url_resolution: 'opaque' };
};

/** The target of a link, as `targetOf` reads it. */
export const targetOfLink = once(({ attribs }: Element): Target | null => targetOf(attribs.href));

export const leadsOut: Test = (element) =>
  element.name === 'a' && element.attribs.href !== undefined && targetOfLink(element) !== null;

const namesAd = /\/acli?c?k\?|\.r\.(?:msn|bat\.bing)\.com/i;

/** Whether a link is one of the engine's counters of clicks on ads. */
export const isAdLink: Test = ({ name, attribs }) => {
  if (name !== 'a' || attribs.href === undefined || !namesAd.test(attribs.href)) return false;
  const url = parse(attribs.href);
  if (url === null) return false;
  return adHost.test(url.hostname) || (isEngineHost(url.hostname) && /^\/acli?c?k$/.test(url.pathname));
};

const readOwnPage = once((element: Element): URL | undefined => {
  const href = element.attribs.href ?? '';
  if (!/^\/(?!\/)|bing\.com/i.test(href)) return undefined;
  const url = parse(href);
  if (!url || !isEngineHost(url.hostname)) return undefined;
  const wrapped = url.pathname === '/ck/a' ? ofClick(url) : '';
  const own = wrapped === '' ? url : parse(wrapped);
  return own && isEngineHost(own.hostname) ? own : undefined;
});

/**
 * The path and the parameters of a link to a page of the engine itself; undefined for other links. Reads
 * `ck/a` too.
 */
export const ownPageOf = (element: Element): URL | undefined =>
  element.name === 'a' && element.attribs.href !== undefined ? readOwnPage(element) : undefined;

/** A path on the engine's host that needs no decoding, in front of parameters or a fragment. */
const plainPath = /^\/(?:[\w-]+(?:\/[\w-]+)*\/?)?(?=[?#]|$)/;

const readOwnPath = once((element: Element): string => {
  const plain = plainPath.exec(element.attribs.href ?? '')?.[0];
  return plain !== undefined && plain !== '/ck/a' ? plain : (ownPageOf(element)?.pathname ?? '');
});

/** The path of `ownPageOf`; empty for other links. Most links need not be parsed for it. */
export const ownPathOf = (element: Element): string =>
  element.name === 'a' && element.attribs.href !== undefined ? readOwnPath(element) : '';

/** The parameters of a link to a web search of the engine; undefined for other links. */
export const searchParameters = (element: Element): URLSearchParams | undefined =>
  ownPathOf(element) === '/search' ? ownPageOf(element)?.searchParams : undefined;
