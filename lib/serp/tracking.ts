/**
 * Domain tracking: the ranks of the tracked domain, its competitors and all other domains in a result
 * (Readings 6 and 16 to 18).
 */

import { getPublicSuffix } from 'tldts';
import type { Competitor } from '../model/crawl-request.ts';
import type { Reference } from '../model/overview.ts';
import type { ItemType, RawResult, ResultItem } from '../model/result.ts';
import { readSite, type Site } from '../model/site.ts';
import type { Ranking, TrackingResult } from '../model/tracking-result.ts';
import { fold } from './text.ts';

export type TrackingRequest = {
  domain: string;
  competitors: Competitor[] | null;
  business_name: string | null;
  keyword_id: number | null;
};

/** A site that a request names, compared with the items of a result. */
type NamedSite = {
  covers: (item: ResultItem) => boolean;
  /** Whether the item could be the site's: the page hides what is needed to know it. */
  couldCover: (item: ResultItem) => boolean;
};

/** What an engine ranks, and whose it is. */
export type SiteRules = {
  /** The type of the items that are the ranking. */
  ranked: ItemType;
  read: (name: string) => NamedSite;
  /** The name of the site that an item belongs to; empty if it is unknown. */
  siteOf: (item: ResultItem) => string;
};

/**
 * Whether a site covers a host. A host covers its subdomains too, except for a public suffix (including
 * private ones such as `github.io`): its subdomains belong to different owners, so it covers only itself.
 */
const coversHost = (site: Site, host: string): boolean =>
  host !== '' &&
  (host === site.host ||
    (host.endsWith(`.${site.host}`) &&
      getPublicSuffix(site.host, { allowPrivateDomains: true }) !== site.host));

/**
 * Whether a site covers a URL by prefix. The prefix ends at a segment boundary: `/blog` covers `/blog/a` and
 * `/blog?a`, not `/blogger`.
 */
const coversUrl = (site: Site, url: string): boolean => {
  const { host, path } = readSite(url);
  if (host !== site.host || !path.startsWith(site.path)) return false;
  const rest = path.slice(site.path.length);
  return rest === '' || /^[/?&]/.test(rest) || /[/?=&]$/.test(site.path);
};

/** Reading 16: an opaque URL cannot match a path, but the host that its item shows can match a host. */
const covers = (site: Site, item: ResultItem): boolean => {
  if (site.path === '') return coversHost(site, hostOfItem(item));
  return item.url_resolution !== 'opaque' && coversUrl(site, item.url);
};

/** The hosts of items. A request may name 1,001 sites, and each is compared with all items of a ranking. */
const hosts = new WeakMap<ResultItem, string>();

const hostOfItem = (item: ResultItem): string => {
  const known = hosts.get(item);
  if (known !== undefined) return known;
  const host = item.domain ? readSite(item.domain).host : '';
  hosts.set(item, host);
  return host;
};

/**
 * Whether this result could be the site's: its host is unknown, or the site is a path on this host and the
 * URL is hidden.
 */
const couldCover = (site: Site, item: ResultItem): boolean =>
  !item.domain || (site.path !== '' && item.url_resolution === 'opaque' && hostOfItem(item) === site.host);

/** Web results belong to hosts. */
export const webSites: SiteRules = {
  ranked: 'organic',
  read: (name) => {
    const site = readSite(name);
    return { covers: (item) => covers(site, item), couldCover: (item) => couldCover(site, item) };
  },
  siteOf: (item) => item.domain ?? '',
};

const rankedOf = (result: RawResult, { ranked }: SiteRules): ResultItem[] =>
  result.left.filter((item) => item.type === ranked);

/** The number of results in the ranking. */
export const countRanked = (result: RawResult, sites: SiteRules = webSites): number =>
  rankedOf(result, sites).length;

/** Whether a site is in the ranking. */
export const showsSite = (result: RawResult, name: string, sites: SiteRules = webSites): boolean =>
  bestOf(result, name, sites) !== undefined;

/** All items of a site in the ranking, in their order. */
export const itemsOf = (result: RawResult, domain: string, sites: SiteRules): ResultItem[] => {
  const { covers } = sites.read(domain);
  return rankedOf(result, sites).filter(covers);
};

/** The best-ranked item of a site. Results are in order, so it is the first match. */
const bestOf = (result: RawResult, domain: string, sites: SiteRules): ResultItem | undefined => {
  const { covers } = sites.read(domain);
  return rankedOf(result, sites).find(covers);
};

/**
 * Reduces a name to its letters and digits. Names that differ only in case, accents, width or punctuation
 * become equal.
 */
const lettersOf = (name: string): string =>
  fold(name)
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter(Boolean)
    .join(' ');

/** Whether an item is the place of a business with this name. */
export const isBusiness = ({ type, title }: ResultItem, businessName: string | null): boolean => {
  const name = lettersOf(businessName ?? '');
  return type === 'local_pack' && name !== '' && lettersOf(title) === name;
};

const placeOf = (result: RawResult, businessName: string): ResultItem | undefined =>
  [...result.left, ...result.right].find((item) => isBusiness(item, businessName));

/** Reading 43: the rank of something that was not found before the crawl ended early. */
const unknownRank: Ranking = { position: '0', type: 'unknown', title: '-', url: '-', snippet: '-' };

/**
 * Reading 17: an entry that was not found has the position `1000` and `-` in its other fields, except its
 * type.
 */
const ranking = (
  type: 'organic' | 'local_pack' | 'ai_overview',
  item: Pick<ResultItem, 'position' | 'title' | 'url' | 'snippet'> | undefined,
  endedEarly = false,
): Ranking => {
  if (item) return { position: item.position, type, title: item.title, url: item.url, snippet: item.snippet };
  return endedEarly ? unknownRank : { position: '1000', type, title: '-', url: '-', snippet: '-' };
};

/** A reference of an overview, as an item that a site can be compared with. */
const asItem = ({ position, ...link }: Reference): ResultItem => ({
  ...link,
  type: 'ai_overview',
  position: String(position),
  absolute_position: position,
  breadcrumb: '',
  snippet: '',
});

/** The references of the generated overview, as items. */
const referencesOf = ({ left }: RawResult): ResultItem[] =>
  left.flatMap(({ type, sources }) => (type === 'ai_overview' ? (sources ?? []).map(asItem) : []));

/**
 * Reading 42: the number of a site's first citation among the references of the overview. Undefined if no
 * overview is shown, or if the page does not show its references yet: then nothing is known about the site.
 */
const citationIn = (references: readonly ResultItem[], site: NamedSite): Ranking | undefined =>
  references.length === 0 ? undefined : ranking('ai_overview', references.find(site.covers));

const namedCompetitors = (request: TrackingRequest): Competitor[] =>
  request.competitors?.filter(({ type, competitor }) => type === 'domain' && competitor.trim() !== '') ?? [];

/**
 * The tracking result. The keys of the tracked domain and the competitors are spelled exactly as in the
 * request, because a client looks up what it sent. The key of each other site found is its name (of a web
 * result, its host without `www.`). Absent domains get the position `1000`, so call it only if Reading 6
 * allows that. `endedEarly`: the crawl ended at the page of the tracked domain, so what was not found is
 * unknown (Reading 43).
 */
export const trackDomains = (
  result: RawResult,
  request: TrackingRequest,
  sites: SiteRules = webSites,
  endedEarly = false,
): TrackingResult => {
  const competitors = namedCompetitors(request);
  const tracked = [request.domain, ...competitors.map(({ competitor }) => competitor)].map(sites.read);
  const entries = new Map<string, TrackingResult[string]>();

  const references = referencesOf(result);
  const citation = (domain: string) => {
    const ai_overview = citationIn(references, sites.read(domain));
    return ai_overview && { ai_overview };
  };

  entries.set(request.domain, {
    type: 'owner',
    keyword_id: request.keyword_id,
    results: {
      organic: ranking('organic', bestOf(result, request.domain, sites), endedEarly),
      ...(request.business_name && {
        local_pack: ranking('local_pack', placeOf(result, request.business_name), endedEarly),
      }),
      ...citation(request.domain),
    },
  });
  for (const { competitor, keyword_id } of competitors) {
    if (entries.has(competitor)) continue;
    const organic = ranking('organic', bestOf(result, competitor, sites), endedEarly);
    const results = { organic, ...citation(competitor) };
    const type = organic === unknownRank ? 'unknown' : 'competitor';
    entries.set(competitor, { type, keyword_id, results });
  }
  for (const item of rankedOf(result, sites)) {
    const name = sites.siteOf(item);
    if (name === '' || entries.has(name) || tracked.some((site) => site.covers(item))) continue;
    const organic = ranking('organic', item);
    entries.set(name, { type: 'competitor_free', keyword_id: null, results: { organic } });
  }
  return Object.fromEntries(entries);
};

/**
 * Whether the domain, every competitor and the business (if named) were found, so that tracking writes no
 * `1000` (Reading 6).
 */
export const foundAll = (result: RawResult, request: TrackingRequest, sites: SiteRules = webSites): boolean =>
  [request.domain, ...namedCompetitors(request).map(({ competitor }) => competitor)].every((domain) =>
    bestOf(result, domain, sites),
  ) &&
  (!request.business_name || placeOf(result, request.business_name) !== undefined);

/**
 * Whether the site of a ranked item is unknown. It could belong to any domain, so no domain counts as absent
 * (Reading 6).
 */
export const hasUnknownHost = (result: RawResult, sites: SiteRules = webSites): boolean =>
  rankedOf(result, sites).some((item) => sites.siteOf(item) === '');

/** Whether the URL of a ranked item is unknown. No path can match such an item (Reading 16). */
export const hasHiddenAddress = (result: RawResult, sites: SiteRules = webSites): boolean =>
  rankedOf(result, sites).some((item) => item.url_resolution === 'opaque');

/**
 * Whether a domain or a competitor that was not found could be hidden behind a result. Then it does not count
 * as absent (Reading 6). A business has no host.
 */
export const couldBeHidden = (
  result: RawResult,
  request: TrackingRequest,
  sites: SiteRules = webSites,
): boolean =>
  [request.domain, ...namedCompetitors(request).map(({ competitor }) => competitor)]
    .filter((domain) => !bestOf(result, domain, sites))
    .some((domain) => rankedOf(result, sites).some(sites.read(domain).couldCover));
