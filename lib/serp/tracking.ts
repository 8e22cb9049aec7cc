/** Domain tracking: where the tracked domain, its competitors and everybody else rank in a result (Readings 6 and 16 to 18). */
import { getPublicSuffix } from 'tldts';
import type { Competitor } from '../model/crawl-request.ts';
import type { Ranking, RawResult, ResultItem, TrackingResult } from '../model/result.ts';

export type TrackingRequest = {
  domain: string;
  competitors: Competitor[] | null;
  business_name: string | null;
  keyword_id: number | null;
};

/** A tracked site: its host in ASCII without `www.`, and the path (with query) that narrows it, if any. */
type Site = { host: string; path: string };

/** Reads a host or an address, with or without scheme; an unreadable one has the host '', which no result has. */
const readSite = (given: string): Site => {
  const address = URL.parse(`http://${given.trim().replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '')}`);
  if (!address) return { host: '', path: '' };
  const path = `${address.pathname}${address.search}`;
  return {
    host: address.hostname.replace(/\.$/, '').replace(/^www\./, ''),
    path: decode(path).replace(/\/$/, ''),
  };
};

/** One spelling for `%c3%a9` and `%C3%A9`; an address that is not well-formed stays as it is. */
const decode = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

/**
 * A public suffix, the private ones of the list too (`github.io`), belongs to nobody below it: it matches as itself only.
 * Any other host matches with its subdomains.
 */
const coversHost = (site: Site, host: string): boolean =>
  host !== '' &&
  (host === site.host ||
    (host.endsWith(`.${site.host}`) &&
      getPublicSuffix(site.host, { allowPrivateDomains: true }) !== site.host));

/** By URL prefix, ending where a part of the address ends: `/blog` covers `/blog/a` and `/blog?a`, not `/blogger`. */
const coversAddress = (site: Site, url: string): boolean => {
  const { host, path } = readSite(url);
  if (host !== site.host || !path.startsWith(site.path)) return false;
  const rest = path.slice(site.path.length);
  return rest === '' || /^[/?&]/.test(rest) || /[/?=&]$/.test(site.path);
};

/** Reading 16. An opaque address cannot match a path; its shown host can match a host. */
const covers = (site: Site, item: ResultItem): boolean => {
  if (site.path === '') return coversHost(site, hostOf(item));
  return item.url_resolution !== 'opaque' && coversAddress(site, item.url);
};

const hostOf = (item: ResultItem): string => (item.domain ? readSite(item.domain).host : '');

const organicOf = (result: RawResult): ResultItem[] => result.left.filter((item) => item.type === 'organic');

/** The best place of the site: results are in order, so the first one. */
const bestOf = (result: RawResult, given: string): ResultItem | undefined => {
  const site = readSite(given);
  return organicOf(result).find((item) => covers(site, item));
};

/** Names are alike when their letters and digits are, whatever the case, accents, width and punctuation. */
const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter(Boolean)
    .join(' ');

const placeOf = (result: RawResult, businessName: string): ResultItem | undefined => {
  const name = fold(businessName);
  return [...result.left, ...result.right].find(
    (item) => item.type === 'local_pack' && name !== '' && fold(item.title) === name,
  );
};

/** Reading 17: not found is `1000` and `-`; the type stays, as the specification's table has it. */
const ranking = (type: 'organic' | 'local_pack', item: ResultItem | undefined): Ranking =>
  item
    ? { position: item.position, type, title: item.title, url: item.url, snippet: item.snippet }
    : { position: '1000', type, title: '-', url: '-', snippet: '-' };

const namedCompetitors = (request: TrackingRequest): Competitor[] =>
  request.competitors?.filter(({ type, competitor }) => type === 'domain' && competitor.trim() !== '') ?? [];

/**
 * The tracking result, keyed by the tracked domain and the competitors exactly as the request spells them (a client looks up what it sent), and by the host
 * without `www.` for each other domain found. Writes `1000` for whatever is absent: call it only where Reading 6 allows that.
 */
export const trackDomains = (result: RawResult, request: TrackingRequest): TrackingResult => {
  const competitors = namedCompetitors(request);
  const tracked = [request.domain, ...competitors.map(({ competitor }) => competitor)].map(readSite);
  const entries = new Map<string, TrackingResult[string]>();

  entries.set(request.domain, {
    type: 'owner',
    keyword_id: request.keyword_id,
    results: {
      organic: ranking('organic', bestOf(result, request.domain)),
      ...(request.business_name && {
        local_pack: ranking('local_pack', placeOf(result, request.business_name)),
      }),
    },
  });
  for (const { competitor, keyword_id } of competitors) {
    if (entries.has(competitor)) continue;
    const organic = ranking('organic', bestOf(result, competitor));
    entries.set(competitor, { type: 'competitor', keyword_id, results: { organic } });
  }
  for (const item of organicOf(result)) {
    const host = item.domain ?? '';
    if (host === '' || entries.has(host) || tracked.some((site) => covers(site, item))) continue;
    const organic = ranking('organic', item);
    entries.set(host, { type: 'competitor_free', keyword_id: null, results: { organic } });
  }
  return Object.fromEntries(entries);
};

/** Whether tracking this result writes no `1000`: the domain, every competitor and the business named were found (Reading 6). */
export const foundAll = (result: RawResult, request: TrackingRequest): boolean =>
  [request.domain, ...namedCompetitors(request).map(({ competitor }) => competitor)].every((given) =>
    bestOf(result, given),
  ) &&
  (!request.business_name || placeOf(result, request.business_name) !== undefined);

/** Whether some organic result's host is unknown: it could be any domain's, so nothing may be called absent (Reading 6). */
export const hasUnknownHost = (result: RawResult): boolean => organicOf(result).some((item) => !item.domain);

/** Whether some organic result's address is unknown: a path cannot be found in it (Reading 16). */
export const hasHiddenAddress = (result: RawResult): boolean =>
  organicOf(result).some((item) => item.url_resolution === 'opaque');
