/** Reads the targets of Yahoo's links: unwraps redirects offline, and excludes Yahoo's own search pages. */

import type { Element } from 'domhandler';
import { mayBeCached } from '../amp.ts';
import { targetOf as targetOfBing } from '../bing/link.ts';
import type { Test } from '../dom.ts';
import { decoded, longestLink, maxRedirects, type Target, targetAfter, urlOf, withScheme } from '../link.ts';
import { once } from '../page-cache.ts';
import { type Parameters, parametersIn } from '../parameters.ts';
import { address } from './address.ts';

/**
 * The hosts of the search and of its services, such as `uk.images.search.yahoo.com`. Other hosts of Yahoo can
 * rank.
 */
const searchHost = /^(?:[a-z0-9-]+\.)*search\.yahoo\.com$/;

/** The counter of clicks on results, and on ads. */
const counter = /^https?:\/\/(?:r|rds|[a-z]{2}\.r)\.search\.yahoo\.com\//i;

/** The hosts of Bing, from which the ads come. */
const adHost = /(?:^|\.)bing\.com$|\.r\.msn\.com$/;

export const isEngineHost = (host: string): boolean => searchHost.test(host);

export const parse = (href: string): URL | null => urlOf(href, address.origin);

/**
 * The target between `RU=` and the next field of the counter; in the oldest form, after `**`. Undefined if
 * the link is no counter's.
 */
const wrappedIn = (link: string): string | undefined => {
  if (!counter.test(link)) return undefined;
  const path = link.replace(/#[\s\S]*$/, '');
  const [, wrapped = ''] = /\/RU=([\s\S]*?)(?:\/R[KS]=|$)/i.exec(path) ?? /\/\*\*([\s\S]*)$/.exec(path) ?? [];
  return decoded(wrapped);
};

/** `;_ylt=…` and `;_ylu=…` after the path are trackers of links to Yahoo's own pages. */
const withoutTracker = (url: string): string => url.replace(/;_yl[a-z]=[^?#]*/g, '');

/** The same for the path alone, which is shorter than the whole address. */
const withoutTrackerInPath = (url: string): string => {
  const end = url.search(/[?#]/);
  return end < 0 ? withoutTracker(url) : `${withoutTracker(url.slice(0, end))}${url.slice(end)}`;
};

/**
 * A link to a page of the search, or of one of its services. The counter of clicks is on such a host, too.
 */
const ownLink = /^https?:\/\/(?:[a-z0-9-]+\.)*search\.yahoo\.com(?=[/?#]|$)/i;

/** Most links do not name the engine, the source of its ads or a cache, so they need not be taken apart. */
const namesEngine = /yahoo\.com|bing\.com|\.r\.msn\.com|ampproject\.org|bing-amp\.com/i;

/**
 * The target of a link on the page. Null if the link has no target, or leads to a search page of the engine
 * itself. A redirect that cannot be read is `opaque`.
 */
export const targetOf = (href: string | undefined): Target | null => {
  let link = href?.trim() ?? '';
  for (let count = 0; count <= maxRedirects; count += 1) {
    if (!/^(?:https?:)?\/\//i.test(link)) return null;
    const written = withScheme(link);
    const found = targetAfter(count, written);
    // The target of a redirect was parsed already.
    if (!namesEngine.test(written)) return count > 0 || URL.canParse(written) ? found : null;
    const wrapped = wrappedIn(written);
    if (wrapped === undefined) {
      const url = ownLink.test(written) ? null : parse(written);
      return url && targetAt(url, found);
    }
    if (!/^https?:\/\/./i.test(wrapped) || !URL.canParse(wrapped)) {
      const url = parse(written);
      return url && { url: url.href, url_resolution: 'opaque' };
    }
    link = wrapped;
  }
  return { url: parse(link)?.href ?? '', url_resolution: 'opaque' };
};

/**
 * The target of a link that is no counter of Yahoo. An ad has a second counter, the one of Bing. Bing's rules
 * also read links to copies.
 */
const targetAt = (url: URL, found: Target): Target | null => {
  if (isEngineHost(url.hostname)) return null;
  if (/(?:^|\.)yahoo\.com$/.test(url.hostname)) return { ...found, url: withoutTracker(found.url) };
  const isWrapped = adHost.test(url.hostname) || mayBeCached(url.hostname);
  const target = isWrapped ? targetOfBing(found.url) : null;
  return target && target.url_resolution !== 'direct' ? target : found;
};

const readTarget = once(({ attribs }: Element) => ({ target: targetOf(attribs.href) }));

/** The target of a link, each element read once. */
export const targetOfLink = (element: Element): Target | null =>
  element.attribs.href === undefined ? null : readTarget(element).target;

/** Whether an element is a link out of the search. */
export const leadsOut: Test = (element) => element.name === 'a' && targetOfLink(element) !== null;

const mayCount = /cbclk|acli?c?k|\.r\.msn\.com|\.r\.bat\.bing\.com/i;

const counts = once(({ attribs }: Element): boolean => {
  const href = attribs.href ?? '';
  const wrapped = wrappedIn(href);
  if (wrapped !== undefined && /\.com\/cbclk/.test(href)) return true;
  const inner = parse(wrapped ?? href);
  if (!inner) return false;
  return (
    /\.r\.(?:msn|bat\.bing)\.com$/.test(inner.hostname) ||
    (adHost.test(inner.hostname) && /^\/acli?c?k$/.test(inner.pathname))
  );
});

/** A link to a counter of clicks on ads: Yahoo's own, or Bing's. */
export const isAdLink: Test = (element) =>
  element.name === 'a' && mayCount.test(element.attribs.href ?? '') && counts(element);

/** A path, or a host of the search, also in a counter of clicks, but not the counter alone. */
const mayBeOwn = /^\/(?!\/)|^https?:\/\/(?!r\.)[a-z.]*search\.yahoo\.com/i;

const mayWrapOwn = /\/RU=[^/]*search\.yahoo\.com/i;

/** A page of the engine: the parts of its address, and its services by host and by path. */
type OwnPage = Pick<URL, 'href' | 'hostname' | 'pathname'> & {
  parameters: Parameters;
  services: (string | undefined)[];
};

const serviceHost = /(?:^|\.)(video|images|news|local)\.search\.yahoo\.com$/;
const servicePath = /^(?:\/search)?\/(video|images|news|local)s?(?:\/|$)/;

const ownPageAt = (href: string, hostname: string, pathname: string, search: string): OwnPage => ({
  href,
  hostname,
  pathname,
  parameters: parametersIn(search),
  services: [serviceHost.exec(hostname)?.[1], servicePath.exec(pathname)?.[1]],
});

/** An address that a URL parser leaves as it is. */
const plainOwn =
  /^(https?:\/\/((?:[a-z0-9-]+\.)*search\.yahoo\.com))?(\/(?!\/)[\w/-]*)((?:\?[!$-&(-;=?-~]*)?)$/;

const originHost = new URL(address.origin).hostname;

/** The parts of a usual address. Undefined for others, which are parsed. */
const plainPage = (link: string): OwnPage | undefined => {
  const [, origin = address.origin, hostname = originHost, pathname, search = ''] = plainOwn.exec(link) ?? [];
  return pathname === undefined
    ? undefined
    : ownPageAt(`${origin}${pathname}${search}`, hostname, pathname, search);
};

const parsedPage = (link: string): OwnPage | undefined => {
  const own = parse(link);
  if (!own || !isEngineHost(own.hostname)) return undefined;
  return ownPageAt(own.href, own.hostname, own.pathname, own.search);
};

const readOwnPage = once((element: Element): OwnPage | undefined => {
  const href = element.attribs.href ?? '';
  if (!mayBeOwn.test(href) && !(counter.test(href) && mayWrapOwn.test(href))) return undefined;
  const link = wrappedIn(href) ?? href;
  if (counter.test(link)) return undefined;
  const own = withoutTrackerInPath(link);
  if (own.length > longestLink) return undefined;
  return plainPage(own) ?? parsedPage(own);
});

/**
 * A link to a search page of the engine itself, without trackers; undefined for other links. Reads wrapped
 * links too.
 */
export const ownPageOf = (element: Element): OwnPage | undefined =>
  element.name === 'a' ? readOwnPage(element) : undefined;

type Service = 'video' | 'images' | 'news' | 'local';

/** A link of the engine to its search for videos, images, news or places. */
export const leadsToService =
  (service: Service): Test =>
  (element) =>
    ownPageOf(element)?.services.includes(service) === true;

/** A link of the engine to any of these searches. */
export const leadsToAnyService: Test = (element) =>
  ownPageOf(element)?.services.some((service) => service !== undefined) === true;

/**
 * The hosts of the web search: of a country, or of none. The hosts of other searches have the name of a
 * service.
 */
export const isWebHost = (host: string): boolean => webHost.test(host);

const webHost = /^(?:(?!images|video|news|local|shopping)[a-z]+\.)?search\.yahoo\.com$/;

/** The parameters of a link to a web search of the engine; undefined for other links. */
export const searchParameters = (element: Element): Parameters | undefined => {
  const url = ownPageOf(element);
  return url?.pathname === '/search' && isWebHost(url.hostname) ? url.parameters : undefined;
};
