/**
 * Reads the address of a page from a link to its copy in a cache of AMP pages. Results on phones may have
 * such a link, and show the address of the publisher.
 */

/** The caches of AMP pages. Each publisher has a host in them. */
const cache = /(?:^|\.)(?:cdn\.ampproject\.org|bing-amp\.com)$/;

/** A document, or a document in a viewer; with `s` if the publisher has TLS; then its host and its path. */
const inCache = /^\/(?:c|v|wp)\/(s\/)?([^/]+\.[^/]+.*)$/s;
const inViewer = /^\/amp\/(s\/)?([^/]+\.[^/]+.*)$/s;

/** Parameters for the scripts of the viewer. */
const isOfViewer = (name: string): boolean => name.startsWith('amp_') || name === 'usqp';

/** Whether a host is one of a cache. */
export const mayBeCached = (host: string): boolean => cache.test(host);

const pageIn = (url: URL, pattern: RegExp): string | null => {
  const [, tls = '', page] = pattern.exec(url.pathname) ?? [];
  if (page === undefined) return null;
  const others = [...url.searchParams].filter(([name]) => !isOfViewer(name));
  const query = others.length === 0 ? '' : `?${new URLSearchParams(others)}`;
  return `${tls === '' ? 'http' : 'https'}://${page}${query}`;
};

/** The address of the publisher's page; null if the link is to no copy in a cache. */
export const publishedOf = (url: URL): string | null =>
  cache.test(url.hostname) ? pageIn(url, inCache) : null;

/** The same for a link to an engine's viewer, on its own host; null if the path is not that of a copy. */
export const viewedIn = (url: URL): string | null => pageIn(url, inViewer);
