/**
 * Reads the targets of Google's links: unwraps redirects offline, recognizes hidden links, and excludes
 * Google's own pages.
 */

import type { Element } from 'domhandler';
import { mayBeCached, publishedOf, viewedIn } from '../amp.ts';
import type { Test } from '../dom.ts';
import { parameter, type Target, targetAfter, urlOf, withScheme } from '../link.ts';
import { once } from '../page-cache.ts';
import { spend } from '../steps.ts';
import { address } from './address.ts';
import { mayBeTranslation, originalOf } from './translation.ts';

const engineHost = /^(?:www\.|m\.)?google\.(?:com|cat|[a-z]{2}|com?\.[a-z]{2})$/;

/** Its link to an article is a redirect, which has the address of the article. */
const scholarHost = /^scholar\.google\.(?:com|cat|[a-z]{2}|com?\.[a-z]{2})$/;

/**
 * Paths on the engine's own host that are not results. All other paths (maps of a place, the store, help) can
 * rank. Of the search services (travel, shopping), the start page can rank, and a document (`.html`), such as
 * the one about flights between two cities.
 */
const ownPath =
  /^\/(?:search$|(?:search|travel|shopping)\b(?![^?]*\.html\?).*\?|(?:aclk|imgres|webhp|advanced_search|preferences|setprefs|sorry|searchviewer|viewer|localservices|maps\/(?:dir|search|reserve)|pagead|async|url|goto|interstitial|history|httpservice|gen_204)(?![\w-]))/;

/** Longer links are parsed. */
const longestPlain = 2048;

/** Parsing a URL takes as long as visiting this many nodes. */
const stepsOfUrl = 32;

const parse = (href: string): URL | null => {
  spend(stepsOfUrl + (href.length >> 6));
  return urlOf(href, address.origin);
};

export const isEngineHost = (host: string): boolean => engineHost.test(host);

const isEngine = (url: URL): boolean => isEngineHost(url.hostname);

const leadsHidden = (url: URL): boolean => isEngine(url) && url.pathname === '/goto';

/** The host of a link whose syntax needs no further look: no port, no user, no number as host. */
const plainLink = /^https?:\/\/((?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,24})[/?#]/;

/** The host of a usual link to another site; undefined for all others, also for those to the engine. */
const otherHostIn = (href: string): string | undefined => {
  const host = href.length > longestPlain ? undefined : plainLink.exec(href)?.[1];
  const isUsual =
    host !== undefined &&
    !host.includes('xn--') &&
    !isEngineHost(host) &&
    !scholarHost.test(host) &&
    !mayBeTranslation(host) &&
    !mayBeCached(host);
  return isUsual ? host : undefined;
};

export const isHidden = (href: string): boolean => {
  const url = otherHostIn(href) === undefined ? parse(href) : null;
  return url !== null && leadsHidden(url);
};

const unwrapped = (url: URL): string | null => {
  if (url.pathname === '/scholar_url' && scholarHost.test(url.hostname)) return parameter(url, 'url');
  if (!isEngine(url)) return originalOf(url) ?? publishedOf(url);
  if (url.pathname === '/url') return parameter(url, 'q') || parameter(url, 'url');
  if (url.pathname === '/interstitial') return parameter(url, 'url');
  return viewedIn(url);
};

/**
 * The prefix that replaces a hidden link with its looked-up target: `found:<target>`. Original pages never
 * contain this scheme.
 */
const foundScheme = 'found:';

export const foundLink = (target: string): string => `${foundScheme}${target}`;

/**
 * The target of a link on the page. Null if the link has no target, or leads to a page of the engine itself.
 * A hidden link (`/goto`) is only made absolute, and is `opaque`.
 */
export const targetOf = (attribute: string | undefined): Target | null => {
  const href = attribute?.trim() ?? '';
  if (href === '' || href.startsWith('#') || href.startsWith('/search?')) return null;
  if (href.startsWith(foundScheme))
    return { url: href.slice(foundScheme.length), url_resolution: 'redirect' };
  if (otherHostIn(href) !== undefined) return targetAfter(0, href);
  const url = parse(href);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  if (leadsHidden(url)) return { url: url.href, url_resolution: 'opaque' };
  const inner = unwrapped(url);
  if (inner !== null) {
    const target = /^https?:\/\//i.test(inner) ? targetOf(inner) : null;
    return (
      target && { ...target, url_resolution: target.url_resolution === 'opaque' ? 'opaque' : 'unwrapped' }
    );
  }
  const isRelative = !/^(?:https?:)?\/\//i.test(href);
  if (isRelative || (isEngine(url) && ownPath.test(`${url.pathname}${url.search}`))) return null;
  return targetAfter(0, withScheme(href));
};

/** The absolute URL of any link, including links to the engine's own pages. */
export const absolute = (href: string | undefined): Target | null => {
  const target = targetOf(href);
  if (target || !href || href.startsWith('#')) return target;
  const url = parse(href);
  return url && /^https?:$/.test(url.protocol) ? { url: url.href, url_resolution: 'direct' } : null;
};

/** The target of a link. Many boxes around a link ask for it. */
export const targetIn = once(({ attribs }: Element): Target | null => targetOf(attribs.href));

export const leadsOut: Test = (element) => element.name === 'a' && targetIn(element) !== null;
