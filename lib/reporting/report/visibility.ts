/** The share of voice of a project's domain and of its competitors. Pure. */
import { dayNumber, isoDay, secondsOfDay } from '../../model/day.ts';
import { countedPosition, notFound, type Project, type TrackedKeyword } from '../../model/tracking.ts';
import type { Visibility } from '../../model/visibility.ts';
import { noRank } from '../observe.ts';
import { citationsByDay } from './citations.ts';
import { type ClickRates, clickRatesOf } from './click-rate.ts';
import { comparedDomains, comparedKeywords, placeOf } from './compared-sites.ts';
import { shownDays, validUntil } from './measured-days.ts';

/** The middle of values, or the mean of the two in the middle. */
const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2;
};

/** How much each keyword counts, and on what that rests. */
type Weights = { of: (keyword: TrackedKeyword) => number; volumes: KnownVolumes };
type KnownVolumes = { known: number; unknown: number; assumed: number | null };

/**
 * A keyword counts by its monthly searches, and at least as one. An unknown volume is taken to be the median
 * of the known ones; if none is known, all keywords count alike.
 */
export const weigh = (keywords: readonly TrackedKeyword[]): Weights => {
  const known = keywords.flatMap(({ volumes }) => volumes?.local_sv ?? []);
  const median = known.length === 0 ? null : medianOf(known);
  return {
    of: ({ volumes }) => Math.max(1, volumes?.local_sv ?? median ?? 1),
    volumes: { known: known.length, unknown: keywords.length - known.length, assumed: median },
  };
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const isSameDay = (at: number, now: number): boolean => dayNumber(at) === dayNumber(now);

/** Of the clicks that are expected on all results of so many searches, the part of `clicks`, 0 to 1. */
const shareOf = (clicks: number, searches: number, { all }: ClickRates): number | null =>
  searches === 0 ? null : rounded(clicks / (searches * all), 4);

/** The average of values, to one digit; null without values. */
export const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : rounded(sumOf(values) / values.length, 1);

/** What the shares of domains are computed with. `own`: the domain of the project. */
type Basis = { weights: Weights; rates: ClickRates; own: string; now: number };

export const domainOf = (
  domain: string,
  keywords: readonly TrackedKeyword[],
  { weights, rates, own, now }: Basis,
): Omit<Visibility['data'][number], 'citation_share'> => {
  const measured = keywords.flatMap((keyword) => {
    const { current } = keyword.ranks[placeOf(keyword, domain, own)] ?? noRank;
    const isMeasured = current && (isSameDay(current.at, now) || validUntil(keyword, current.at) >= now);
    return isMeasured ? [{ position: current.position, searches: weights.of(keyword) }] : [];
  });
  const positions = measured.map(({ position }) => position);
  const ranked = positions.filter((position) => position < notFound);
  const clicks = sumOf(measured.map(({ position, searches }) => searches * rates.at(position)));
  return {
    domain,
    share: shareOf(clicks, sumOf(measured.map(({ searches }) => searches)), rates),
    keywords: measured.length,
    ranked: ranked.length,
    top_3: ranked.filter((position) => position <= 3).length,
    top_10: ranked.filter((position) => position <= 10).length,
    average_of_ranked: average(ranked),
    average_of_all: average(positions.map(countedPosition)),
  };
};

/** The clicks and the searches of each day and domain, day by day. */
type Sums = { clicks: Float64Array; searches: Float64Array };

/**
 * Adds a keyword to the sums of the days. A day without a crawl has the positions of the crawl before it, as
 * long as that is valid.
 */
const addDays = (
  { clicks, searches }: Sums,
  keyword: TrackedKeyword,
  { domains, first }: { domains: readonly string[]; first: number },
  { weights, rates, own, now }: Basis,
): void => {
  const places = domains.map((domain) => placeOf(keyword, domain, own));
  const weight = weights.of(keyword);
  const { days } = keyword;
  let next = 0;
  for (let day = 0; day < shownDays; day++) {
    const end = (first + day + 1) * secondsOfDay;
    while ((days[next]?.at ?? end) < end) next++;
    const crawl = days[next - 1];
    if (!crawl) continue;
    const { at, positions } = crawl;
    if (at < end - secondsOfDay && validUntil(keyword, at) < Math.min(end, now)) continue;
    // An iterator would take most of the time of a large project, and so would a negative index.
    for (let n = 0; n < places.length; n++) {
      const place = places[n] ?? -1;
      const position = place < 0 ? null : positions[place];
      if (typeof position !== 'number') continue;
      const cell = day * domains.length + n;
      clicks[cell] = (clicks[cell] ?? 0) + weight * rates.at(position);
      searches[cell] = (searches[cell] ?? 0) + weight;
    }
  }
};

/** Shares of domains, without the notes of the days. */
export type Shares = Omit<Visibility, 'notes'>;

/**
 * The visibility now, domain by domain, and on each of the last days, oldest first. `shown`: the keywords to
 * count, if not all. An unknown volume is the same one, whichever they are.
 */
export const visibilityOf = (
  project: Project,
  all: readonly TrackedKeyword[],
  now: number,
  shown = all,
): Shares => {
  const domains = comparedDomains(project);
  const weights = weigh(comparedKeywords(all, project));
  const keywords = comparedKeywords(shown, project);
  const basis = { weights, rates: clickRatesOf(project), own: project.domain, now };
  const first = dayNumber(now) - shownDays + 1;
  const cells = shownDays * domains.length;
  const sums = { clicks: new Float64Array(cells), searches: new Float64Array(cells) };
  for (const keyword of keywords) addDays(sums, keyword, { domains, first }, basis);
  const shareAt = (cell: number) => shareOf(sums.clicks[cell] ?? 0, sums.searches[cell] ?? 0, basis.rates);
  const citations = citationsByDay(keywords, { domains, first }, now);
  return {
    data: domains.map((domain) => ({
      ...domainOf(domain, keywords, basis),
      citation_share: citations.at(-1)?.[domain] ?? null,
    })),
    volumes: { ...weigh(keywords).volumes, assumed: weights.volumes.assumed },
    days: Array.from({ length: shownDays }, (_, day) => ({
      date: isoDay((first + day) * secondsOfDay),
      shares: Object.fromEntries(domains.map((domain, n) => [domain, shareAt(day * domains.length + n)])),
      citation_shares: citations[day] ?? {},
    })),
  };
};

/**
 * The position of a keyword's own domain at the end of each of the last days, oldest first; null: not
 * measured.
 */
export const positionsByDay = (keyword: TrackedKeyword, now: number): (number | null)[] => {
  const { days } = keyword;
  const first = dayNumber(now) - shownDays + 1;
  let next = 0;
  return Array.from({ length: shownDays }, (_, day) => {
    const end = (first + day + 1) * secondsOfDay;
    while ((days[next]?.at ?? end) < end) next++;
    const crawl = days[next - 1];
    if (!crawl) return null;
    const isValid = crawl.at >= end - secondsOfDay || validUntil(keyword, crawl.at) >= Math.min(end, now);
    return isValid ? (crawl.positions[0] ?? null) : null;
  });
};

/** Days of a week, over which a change of the share is told. */
const weekDays = 7;

/**
 * The position of the domain at a place at the end of a day, or now if that is earlier; null if it is not
 * known.
 */
const positionOn = (keyword: TrackedKeyword, place: number, end: number, now: number): number | null => {
  const crawl = keyword.days.findLast(({ at }) => at < end);
  if (!crawl) return null;
  if (crawl.at < end - secondsOfDay && validUntil(keyword, crawl.at) < Math.min(end, now)) return null;
  return crawl.positions[place] ?? null;
};

/** A change of a share since a day. `keywords`: those that were measured then and now. */
export type ShareChange = { domain: string; change: number; since: string; keywords: number };

/** The change of a share, in percentage points. */
export const pointsText = (change: number): string =>
  Math.abs(change) < 0.0005
    ? 'no change'
    : `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(1)} points`;

/**
 * The changes of the domains' shares since a week ago, or since the first day after it on which keywords were
 * measured that are measured now. Only keywords of both days are compared, so that a keyword that is new or
 * was not crawled changes nothing. A domain without such a day is left out.
 */
export const shareChangesOf = (
  project: Project,
  all: readonly TrackedKeyword[],
  now: number,
): ShareChange[] => {
  const keywords = comparedKeywords(all, project);
  const weights = weigh(keywords);
  const rates = clickRatesOf(project);
  const endOf = (daysAgo: number): number => (dayNumber(now) - daysAgo + 1) * secondsOfDay;
  const changeSince = (domain: string, daysAgo: number): ShareChange[] => {
    const both = keywords.flatMap((keyword) => {
      const place = placeOf(keyword, domain, project.domain);
      const before = positionOn(keyword, place, endOf(daysAgo), now);
      const current = positionOn(keyword, place, endOf(0), now);
      return before === null || current === null
        ? []
        : [{ searches: weights.of(keyword), gained: rates.at(current) - rates.at(before) }];
    });
    const clicks = sumOf(both.map(({ searches, gained }) => searches * gained));
    const change = shareOf(clicks, sumOf(both.map(({ searches }) => searches)), rates);
    if (change === null) return [];
    return [{ domain, change, since: isoDay(endOf(daysAgo) - 1), keywords: both.length }];
  };
  const daysAgo = Array.from({ length: weekDays }, (_, n) => weekDays - n);
  return comparedDomains(project).flatMap((domain) => {
    for (const each of daysAgo) {
      const [found] = changeSince(domain, each);
      if (found) return [found];
    }
    return [];
  });
};

/**
 * The visibilities that were computed, by the keywords. They are kept as long as none of the keywords
 * changes.
 */
const kept = new WeakMap<readonly TrackedKeyword[], { of: string; visibility: Shares }>();

/** As `visibilityOf`, but computed once for the same keywords, project and hour. */
export const keptVisibilityOf = (project: Project, all: readonly TrackedKeyword[], now: number): Shares => {
  const of = JSON.stringify([Math.floor(now / 3600), comparedDomains(project), project.click_rates]);
  const before = kept.get(all);
  if (before?.of === of) return before.visibility;
  const visibility = visibilityOf(project, all, now);
  kept.set(all, { of, visibility });
  return visibility;
};
