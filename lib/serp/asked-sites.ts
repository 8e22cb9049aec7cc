/** Compares the results of a page with the sites that a query names, or excludes, by `site:`. */
import { getDomain } from 'tldts';
import type { ResultItem } from '../model/result.ts';
import { hostOf } from './host.ts';
import type { QueryParts, Site } from './query-parts.ts';

/** More results of a page are not compared. */
export const maximumJudged = 30;

/** At most this share of the results of a search in one site may be elsewhere. */
const elsewhereUpTo = 0.2;

const withoutWww = (host: string): string => host.replace(/^www\./, '');

const isBelow = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);

/** The host of a result: that of a hidden link is the engine's, so only the shown one counts. */
const ownHostOf = ({ domain, url, url_resolution }: ResultItem): string =>
  domain || (url_resolution === 'opaque' ? '' : hostOf(url));

/** Whether a result is in a site. An excluded site is meant with its `www.`. */
const isAt = (item: ResultItem, { host, path }: Site, isExcluded = false): boolean => {
  const url = item.url_resolution === 'opaque' ? null : URL.parse(item.url);
  if (!isBelow(ownHostOf(item), withoutWww(host))) return false;
  if (!url) return !isExcluded || (path === '' && host === withoutWww(host));
  if (isExcluded && !isBelow(url.hostname, host)) return false;
  return path === '' || `${url.pathname}/`.toLowerCase().startsWith(`/${path}`);
};

/**
 * How the results agree with the sites that the query names: undefined if it names none, or if no result has
 * a host.
 */
export const agreesWithSites = (
  { sites, excluded }: QueryParts,
  results: ResultItem[],
): boolean | undefined => {
  if (sites.length + excluded.length === 0) return undefined;
  const judged = results.slice(0, maximumJudged).filter((item) => ownHostOf(item) !== '');
  if (judged.length === 0) return undefined;
  const elsewhere = judged.filter(
    (item) =>
      (sites.length > 0 && !sites.some((site) => isAt(item, site))) ||
      excluded.some((site) => isAt(item, site, true)),
  );
  return elsewhere.length <= elsewhereUpTo * judged.length;
};

/** Whether a query names a site, not only a suffix such as `site:edu`. */
export const namesSite = ({ sites }: QueryParts): boolean =>
  sites.some(({ host }) => getDomain(host) !== null);
