/**
 * The fold of all observations of a keyword into its positions. The order of the observations does not
 * matter, and a repeated one changes nothing, so late, repeated and out-of-order results give the same
 * positions.
 */
import { dayNumber } from '../model/day.ts';
import type { Day, Gap, Observation, Point, Rank, TrackedKeyword } from '../model/tracking.ts';

export const noRank: Rank = { initial: null, current: null, previous: null, best: null };

/** Pages of the domain that a keyword keeps of its newest crawl. The history has all of them. */
const keptUrls = 10;

/** Days that a keyword keeps. */
const keptDays = 31;

const isNewer = (point: Point, than: Point | null): boolean => than === null || point.at > than.at;

const pointOf = ({ at, position }: Point): Point => ({ at, position });

/** Adds a position to a domain's. */
const withPoint = (rank: Rank, point: Point & { url: string }): Rank => {
  const { initial, current, previous, best } = rank;
  const first = initial === null || point.at < initial.at ? pointOf(point) : initial;
  const highest = best === null ? point.position : Math.min(best, point.position);
  if (isNewer(point, current)) {
    return { initial: first, current: point, previous: current && pointOf(current), best: highest };
  }
  const isSecond = point.at !== current?.at && isNewer(point, previous);
  return { initial: first, current, previous: isSecond ? pointOf(point) : previous, best: highest };
};

/** Keeps the newest crawl of each day, and the newest days. */
const withDay = (days: readonly Day[], day: Day): Day[] => {
  const same = days.find(({ at }) => dayNumber(at) === dayNumber(day.at));
  if (same && same.at >= day.at) return [...days];
  return [...days.filter((each) => each !== same), day].sort((a, b) => a.at - b.at).slice(-keptDays);
};

/** The citations of the AI overview by domain. A domain that the crawl did not follow has null. */
const citationsOf = (
  { sightings, owners }: Observation,
  domains: readonly string[],
): Pick<Day, 'citations'> => {
  const overview = owners?.ai_overview;
  if (!overview) return {};
  const { all, own = 0, rivals = {} } = overview;
  const ofRivals = domains.slice(1).map((name) => rivals[name] ?? (sightings[name] ? 0 : null));
  return { citations: [all, own, ...ofRivals] };
};

/** The keyword with an observation. Domains that the keyword has not had yet are added. */
export const observe = (keyword: TrackedKeyword, observation: Observation): TrackedKeyword => {
  const { at, sightings, features, cited, own, owners } = observation;
  const seenDomains = Object.keys(sightings);
  const domains = [...keyword.domains, ...seenDomains.filter((domain) => !keyword.domains.includes(domain))];
  const ranks = domains.map((domain, n) => {
    const rank = keyword.ranks[n] ?? noRank;
    const sighting = sightings[domain];
    return sighting ? withPoint(rank, { at, position: sighting.position, url: sighting.url }) : rank;
  });
  const positions = domains.map((domain) => sightings[domain]?.position ?? null);
  const isNewest = ranks[0]?.current?.at === at;
  const { own_urls, owners: formerOwners, ...before } = keyword;
  const urls = isNewest ? own?.slice(0, keptUrls) : own_urls;
  const newestOwners = isNewest ? owners : formerOwners;
  return {
    ...before,
    domains,
    ranks,
    days: withDay(keyword.days, { at, cited, positions, ...citationsOf(observation, domains) }),
    ...(isNewest && { features, cited }),
    ...(urls && { own_urls: urls }),
    ...(newestOwners && { owners: newestOwners }),
    gap: keyword.gap && keyword.gap.at > (ranks[0]?.current?.at ?? 0) ? keyword.gap : null,
  };
};

/** The keyword with a gap. A gap that is older than the current position changes nothing. */
export const observeGap = (keyword: TrackedKeyword, gap: Gap): TrackedKeyword => {
  const newest = Math.max(keyword.ranks[0]?.current?.at ?? 0, keyword.gap?.at ?? 0);
  return gap.at > newest ? { ...keyword, gap } : keyword;
};
