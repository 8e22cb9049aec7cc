/** Whose the other items of a page are: the keyword's domain, a competitor, or others have them. Pure. */
import type { RawResult, ResultItem } from '../../model/result.ts';
import { domainOf } from '../../model/site.ts';
import {
  type Observation,
  type OwnedKind,
  type Owners,
  ownedKinds,
  type TrackedKeyword,
} from '../../model/tracking.ts';
import { isBusiness, type SiteRules } from '../../serp/tracking.ts';

/** The sites that an item is compared with. */
export type Compared = Pick<TrackedKeyword, 'domain' | 'google_business'> & {
  competitors: readonly string[];
};

/** An item with the host of its address, which the reader gives to web results only. */
const withHost = (item: ResultItem): ResultItem => ({ ...item, domain: domainOf(item) });

/** The items of a kind, ready to be compared with sites. Of an AI overview, the pages that it cites. */
const itemsOf = ({ left, right }: RawResult, kind: OwnedKind): ResultItem[] => {
  const items = [...left, ...right].filter(({ type }) => type === kind);
  if (kind !== 'ai_overview') return items.map(withHost);
  return items.flatMap((item) =>
    (item.sources ?? []).map(({ title, url, domain }): ResultItem => {
      const { url_resolution: _, ...overview } = item;
      return { ...overview, title, url, domain };
    }),
  );
};

const countOwners = (
  items: readonly ResultItem[],
  { domain, google_business, competitors }: Compared,
  sites: SiteRules,
): Owners => {
  const own = sites.read(domain);
  const rivals = competitors.map((name) => ({ name, covers: sites.read(name).covers }));
  const counts = { own: 0, hidden: 0 };
  const ofRivals = new Map<string, number>();
  for (const item of items) {
    const rival = rivals.find(({ covers }) => covers(item));
    if (own.covers(item) || isBusiness(item, google_business)) counts.own += 1;
    else if (rival) ofRivals.set(rival.name, (ofRivals.get(rival.name) ?? 0) + 1);
    else if (!item.domain) counts.hidden += 1;
  }
  return {
    all: items.length,
    ...(counts.own > 0 && { own: counts.own }),
    ...(counts.hidden > 0 && { hidden: counts.hidden }),
    ...(ofRivals.size > 0 && { rivals: Object.fromEntries(ofRivals) }),
  };
};

/**
 * Whose the items of each kind on a first page are. An item of several sites belongs to the keyword's domain,
 * or else to the first competitor. Undefined if the page has no such item.
 */
export const readOwners = (first: RawResult, compared: Compared, sites: SiteRules): Observation['owners'] => {
  const found = ownedKinds.flatMap((kind) => {
    // What an engine ranks has positions.
    const items = kind === sites.ranked ? [] : itemsOf(first, kind);
    return items.length > 0 ? [[kind, countOwners(items, compared, sites)] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
};
