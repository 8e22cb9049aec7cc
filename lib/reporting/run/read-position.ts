/** What the pages of one crawl say of a tracked keyword (Readings 6, 16 to 18, 38 and 42). Pure. */

import type { RawResult, ResultItem } from '../../model/result.ts';
import { isSameSite } from '../../model/site.ts';
import {
  type Gap,
  type KeywordType,
  notFound,
  type Observation,
  type OwnUrl,
  type Sighting,
  type TrackedKeyword,
} from '../../model/tracking.ts';
import type { Ranking } from '../../model/tracking-result.ts';
import { siteRules } from '../../serp/sites.ts';
import {
  couldBeHidden,
  foundAll,
  itemsOf,
  type SiteRules,
  type TrackingRequest,
  trackDomains,
} from '../../serp/tracking.ts';
import { readOwners } from './read-owners.ts';

/** The result of a complete crawl. */
export type CrawledPages = {
  /** When the pages were crawled, in Unix seconds. */
  at: number;
  result: RawResult;
  /** The first page alone, which is what people see. */
  first: RawResult;
};

/** `paid` keywords follow the ads, the others what the engine ranks. */
const rulesOf = (sites: SiteRules, type: KeywordType): SiteRules =>
  type === 'paid' ? { ...sites, ranked: 'ad' } : sites;

const requestOf = (
  domain: string,
  competitors: readonly string[],
  business: string | null,
): TrackingRequest => ({
  domain,
  competitors: competitors.map((competitor) => ({ keyword_id: null, competitor, type: 'domain' })),
  business_name: business,
  keyword_id: null,
});

const sightingOf = ({ position, title, url, snippet }: Ranking, type: string): Sighting => {
  const place = Number(position);
  return place === notFound
    ? { position: notFound, type, url: '', title: '', snippet: '' }
    : { position: place, type, url, title, snippet };
};

/**
 * Whether the domain's position is certain: it was found, or no result can be hidden behind an unknown
 * address.
 */
const isCertain = (result: RawResult, domain: string, sites: SiteRules): boolean => {
  const request = requestOf(domain, [], null);
  return foundAll(result, request, sites) || !couldBeHidden(result, request, sites);
};

const ownUrlOf = ({ position, url }: ResultItem): OwnUrl => [Number(position), url];

/** Kinds of items on a page besides those of the ranking. */
const featuresOf = ({ left, right }: RawResult, ranked: string): string[] =>
  [...new Set([...left, ...right].map(({ type }) => type))].filter((type) => type !== ranked).toSorted();

/**
 * The positions of the keyword's domain and of the competitors on the pages. A competitor whose position is
 * uncertain is left out. A keyword with a business name follows the place of the business in the local pack,
 * where other sites have no position.
 * @returns a gap if the position of the keyword's domain is uncertain.
 */
export const readPosition = (
  keyword: Pick<TrackedKeyword, 'engine' | 'type' | 'domain' | 'google_business'>,
  competitors: readonly string[],
  { at, result, first }: CrawledPages,
): Observation | Gap => {
  const { domain, type, google_business } = keyword;
  const sites = siteRules[keyword.engine];
  const rules = rulesOf(sites, type);
  if (!google_business && !isCertain(result, domain, rules)) {
    return { at, reason: 'unresolved: the address of a result is hidden, and the domain may be behind it' };
  }
  const rivals = google_business
    ? []
    : competitors.filter((rival) => !isSameSite(rival, domain) && isCertain(result, rival, rules));
  const tracked = trackDomains(result, requestOf(domain, rivals, google_business), rules);
  const own = tracked[domain]?.results;
  if (!own) throw new Error('The tracked domain has no entry');
  const { local_pack, ai_overview } = own;
  const sightings: Record<string, Sighting> = {
    [domain]:
      google_business && local_pack
        ? sightingOf(local_pack, 'local_pack')
        : sightingOf(own.organic, rules.ranked),
  };
  for (const rival of rivals) {
    const found = tracked[rival]?.results.organic;
    if (found) sightings[rival] = sightingOf(found, rules.ranked);
  }
  const pages = google_business ? [] : itemsOf(result, domain, rules).map(ownUrlOf);
  const owners = readOwners(first, { domain, google_business, competitors }, sites);
  return {
    at,
    sightings,
    ...(pages.length > 1 && { own: pages }),
    features: featuresOf(first, sites.ranked),
    cited: ai_overview ? Number(ai_overview.position) !== notFound : null,
    ...(owners && { owners }),
  };
};
