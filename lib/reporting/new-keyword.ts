/** New keywords of a project, as they are stored, and what no two keywords of a project share. */
import { engines } from '../model/engine.ts';
import { siteKey } from '../model/site.ts';
import { uniqueTags } from '../model/tag.ts';
import type { KeywordRequest } from '../model/tracked-keyword.ts';
import type { Project, TrackedKeyword, TrackedSearch } from '../model/tracking.ts';
import { firstDueTime } from './due-time.ts';
import { noRank } from './observe.ts';
import { trackedSearchHash } from './search-hash.ts';

/** A keyword without an id. `identity`: what no two keywords of a project share. */
export type NewKeyword = { identity: string; keyword: Omit<TrackedKeyword, 'keyword_id'> };

const identityWith = (
  searchHash: string,
  { type, domain }: Pick<TrackedKeyword, 'type' | 'domain'>,
): string => JSON.stringify([searchHash, type, siteKey(domain)]);

/** The identities of keywords that were computed. No keyword is changed in place. */
const identities = new WeakMap<TrackedKeyword, string>();

/** A stored hash may be of an earlier version, in which the case of a keyword made a difference. */
export const identityOf = (keyword: TrackedKeyword): string => {
  const known = identities.get(keyword);
  if (known !== undefined) return known;
  const identity = identityWith(trackedSearchHash(keyword), keyword);
  identities.set(keyword, identity);
  return identity;
};

/** A new keyword of a project. `place`: the name of its place in the table of places. */
export const newKeyword = (
  request: KeywordRequest,
  place: string,
  { domain: ownDomain, check_frequency }: Pick<Project, 'domain' | 'check_frequency'>,
  now: number,
): NewKeyword => {
  const { keyword, engine, engine_domain, iso_code, language_code, device, type } = request;
  const search: TrackedSearch = {
    engine,
    engine_domain: engine_domain || engines[engine].domain,
    keyword,
    location_name: place,
    iso_code,
    language_code,
    device,
  };
  const search_hash = trackedSearchHash(search);
  const domain = request.domain || ownDomain;
  return {
    identity: identityWith(search_hash, { type, domain }),
    keyword: {
      ...search,
      type,
      domain,
      google_business: request.google_business,
      ...(request.tags && request.tags.length > 0 && { tags: uniqueTags(request.tags) }),
      update_frequency: request.update_frequency ?? check_frequency,
      paused: false,
      created_at: now,
      search_hash,
      domains: [domain],
      ranks: [noRank],
      days: [],
      features: [],
      cited: null,
      gap: null,
      volumes: null,
      next_at: firstDueTime(search_hash, now),
    },
  };
};

/** New keywords by identity. Of several spellings of one keyword, the first one is kept. */
export const byIdentity = (keywords: readonly NewKeyword[]): Map<string, NewKeyword> => {
  const wanted = new Map<string, NewKeyword>();
  for (const keyword of keywords) {
    if (!wanted.has(keyword.identity)) wanted.set(keyword.identity, keyword);
  }
  return wanted;
};
