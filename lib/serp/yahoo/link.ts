/** Reads the targets of Yahoo's links: unwraps redirects offline, and excludes Yahoo's own search pages. */
import type { Element } from 'domhandler';
import type { UrlResolution } from '../../model/result.ts';
import { targetOf as targetOfBing } from '../bing/link.ts';
import { once, type Test } from '../dom.ts';
import { address } from './address.ts';

export type Target = { url: string; url_resolution: UrlResolution };

/** The hosts of the search and of its services, such as `uk.images.search.yahoo.com`. Other hosts of Yahoo can rank. */
const searchHost = /^(?:[a-z0-9-]+\.)*search\.yahoo\.com$/;

/** The counter of clicks on results, and on ads. */
const counter = /^https?:\/\/(?:r|rds|[a-z]{2}\.r)\.search\.yahoo\.com\//i;

/** The hosts of Bing, from which the ads come. */
const adHost = /(?:^|\.)bing\.com$|\.r\.msn\.com$/;

export const isEngineHost = (host: string): boolean => searchHost.test(host);

export const parse = (href: string): URL | null => {
  try {
    return new URL(href, address.origin);
  } catch {
    return null;
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The target between `RU=` and the next field of the counter; in the oldest form, after `**`. Undefined if the link is no counter's. */
const wrappedIn = (link: string): string | undefined => {
  if (!counter.test(link)) return undefined;
  const path = link.replace(/#[\s\S]*$/, '');
  const [, wrapped = ''] = /\/RU=([\s\S]*?)(?:\/R[KS]=|$)/i.exec(path) ?? /\/\*\*([\s\S]*)$/.exec(path) ?? [];
  return decoded(wrapped);
};

/** `;_ylt=…` and `;_ylu=…` after the path are trackers of links to Yahoo's own pages. */
const withoutTracker = (url: string): string => url.replace(/;_yl[a-z]=[^?#]*/g, '');

const withoutTextFragment = (url: string): string => url.replace(/(?:#|(?<=#.*)):~:.*$/, '');

/** Most links do not name the engine, nor the source of its ads, so they need not be taken apart. */
const namesEngine = /yahoo\.com|bing\.com|\.r\.msn\.com/i;

/** A redirect may wrap another one. */
const maxRedirects = 4;

/**
 * The target of a link on the page. Null if the link has no target, or leads to a search page of the engine itself. A redirect that cannot
 * be read is `opaque`.
 */
export const targetOf = (href: string | undefined): Target | null => {
  let link = href?.trim() ?? '';
  for (let count = 0; count <= maxRedirects; count += 1) {
    if (!/^(?:https?:)?\/\//i.test(link)) return null;
    const written = link.startsWith('//') ? `https:${link}` : link;
    const found: Target = {
      url: withoutTextFragment(written),
      url_resolution: count === 0 ? 'direct' : 'unwrapped',
    };
    if (!namesEngine.test(written)) return URL.canParse(written) ? found : null;
    const wrapped = wrappedIn(written);
    if (wrapped === undefined) {
      const url = parse(written);
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

/** The target of a link that is no counter of Yahoo. An ad has a second counter, the one of Bing. */
const targetAt = (url: URL, found: Target): Target | null => {
  if (isEngineHost(url.hostname)) return null;
  if (/(?:^|\.)yahoo\.com$/.test(url.hostname)) return { ...found, url: withoutTracker(found.url) };
  const target = adHost.test(url.hostname) ? targetOfBing(found.url) : null;
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
const mayBeOwn = /^\/(?!\/)|^https?:\/\/(?!r\.)[a-z.]*search\.yahoo\.com|\/RU=[^/]*search\.yahoo\.com/i;

const readOwnPage = once((element: Element): URL | undefined => {
  const href = element.attribs.href ?? '';
  const link = wrappedIn(href) ?? href;
  const own = parse(link);
  if (!own || !isEngineHost(own.hostname) || counter.test(link)) return undefined;
  own.pathname = withoutTracker(own.pathname);
  return own;
});

/** A link to a search page of the engine itself, without trackers; undefined for other links. Reads wrapped links too. */
export const ownPageOf = (element: Element): URL | undefined =>
  element.name === 'a' && mayBeOwn.test(element.attribs.href ?? '') ? readOwnPage(element) : undefined;

/** A link of the engine to its search for videos, images, news or places: by host or by path. */
export const leadsToService = (service: 'video' | 'images' | 'news' | 'local'): Test => {
  const names = new RegExp(`(?:^|\\.)${service}\\.search\\.yahoo\\.com$`);
  const path = new RegExp(`^(?:/search)?/${service}s?(?:/|$)`);
  return (element) => {
    const url = ownPageOf(element);
    return url !== undefined && (names.test(url.hostname) || path.test(url.pathname));
  };
};

/** The hosts of the web search: of a country, or of none. The hosts of other searches have the name of a service. */
export const isWebHost = (host: string): boolean => webHost.test(host);

const webHost = /^(?:(?!images|video|news|local|shopping)[a-z]+\.)?search\.yahoo\.com$/;

/** The parameters of a link to a web search of the engine; undefined for other links. */
export const searchParameters = (element: Element): URLSearchParams | undefined => {
  const url = ownPageOf(element);
  return url?.pathname === '/search' && isWebHost(url.hostname) ? url.searchParams : undefined;
};
