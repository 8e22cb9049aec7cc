/**
 * Reads the address of a page from a link to its copy in a cache of AMP pages. Results on phones may have
 * such a link, and show the address of the publisher.
 */

/** The caches of the AMP project and of Bing. Each publisher has a host in them. */
const cache = /(?:^|\.)(?:cdn\.ampproject\.org|bing-amp\.com)$/;

/** The viewer of Google, on its own host. */
const viewer = /^\/amp\//;
const viewerHost = /^www\.google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/** A document, or a document in a viewer; with `s` if the publisher has TLS; then its host and its path. */
const inCache = /^\/(?:c|v|wp)\/(s\/)?([^/]+\.[^/]+.*)$/s;
const inViewer = /^\/amp\/(s\/)?([^/]+\.[^/]+.*)$/s;

/** Parameters for the scripts of the viewer. */
const isOfViewer = (name: string): boolean => name.startsWith('amp_') || name === 'usqp';

/** Whether a host is one of a cache. */
export const mayBeCached = (host: string): boolean => cache.test(host);

/** The address of the publisher's page; null if the link is to no copy. */
export const publishedOf = (url: URL): string | null => {
  const isViewer = viewerHost.test(url.hostname) && viewer.test(url.pathname);
  if (!isViewer && !cache.test(url.hostname)) return null;
  const [, tls = '', page] = (isViewer ? inViewer : inCache).exec(url.pathname) ?? [];
  if (page === undefined) return null;
  const others = [...url.searchParams].filter(([name]) => !isOfViewer(name));
  const query = others.length === 0 ? '' : `?${new URLSearchParams(others)}`;
  return `${tls === '' ? 'http' : 'https'}://${page}${query}`;
};
