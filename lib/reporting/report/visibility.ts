/** The share of voice of a project's domain and of its competitors. Pure. */
import { dayNumber, isoDay, secondsOfDay } from '../../model/day.ts';
import { notFound, type Project, type TrackedKeyword } from '../../model/tracking.ts';
import { noRank } from '../observe.ts';
import { allClicks, clickRate } from './click-rate.ts';

/** Days that the visibility shows. A keyword keeps 31 days with a crawl. */
export const shownDays = 31;

/**
 * The weight of a keyword: its monthly searches, and at least one, so that keywords without a known volume
 * count too.
 */
const weightOf = ({ volumes }: TrackedKeyword): number => Math.max(1, volumes?.local_sv ?? 0);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

type DomainVisibility = {
  domain: string;
  share: number;
  top_3: number;
  top_10: number;
  average_position: number | null;
};
type DayVisibility = { date: string; shares: Record<string, number> };

/** The domains that a project compares: its own first. */
const comparedDomains = ({ domain, competitors }: Project): string[] => [
  ...new Set([domain, ...competitors]),
];

/** The keywords in which the project's own domain is compared with its competitors. */
const comparedKeywords = (keywords: readonly TrackedKeyword[], { domain }: Project): TrackedKeyword[] =>
  keywords.filter((keyword) => keyword.type === 'owner' && keyword.domain === domain);

/** Of the clicks that are expected on all results of so many searches, the part of `clicks`, 0 to 1. */
const shareOf = (clicks: number, searches: number): number =>
  searches === 0 ? 0 : rounded(clicks / (searches * allClicks), 4);

const domainOf = (domain: string, keywords: readonly TrackedKeyword[]): DomainVisibility => {
  const crawled = keywords.flatMap((keyword) => {
    const { current } = keyword.ranks[keyword.domains.indexOf(domain)] ?? noRank;
    return current ? [{ position: current.position, searches: weightOf(keyword) }] : [];
  });
  const ranked = crawled.map(({ position }) => position).filter((position) => position < notFound);
  const clicks = sumOf(crawled.map(({ position, searches }) => searches * clickRate(position)));
  return {
    domain,
    share: shareOf(clicks, sumOf(crawled.map(({ searches }) => searches))),
    top_3: ranked.filter((position) => position <= 3).length,
    top_10: ranked.filter((position) => position <= 10).length,
    average_position: ranked.length === 0 ? null : rounded(sumOf(ranked) / ranked.length, 1),
  };
};

/** The clicks and the searches of each day and domain, day by day. */
type Sums = { clicks: Float64Array; searches: Float64Array };

/** Adds a keyword to the sums of the days. A day without a crawl has the positions of the crawl before it. */
const addDays = (
  { clicks, searches }: Sums,
  keyword: TrackedKeyword,
  { domains, first }: { domains: readonly string[]; first: number },
): void => {
  const places = domains.map((domain) => keyword.domains.indexOf(domain));
  const weight = weightOf(keyword);
  const { days } = keyword;
  let next = 0;
  for (let day = 0; day < shownDays; day++) {
    const end = (first + day + 1) * secondsOfDay;
    while ((days[next]?.at ?? end) < end) next++;
    const positions = days[next - 1]?.positions;
    if (!positions) continue;
    // An iterator would take most of the time of a large project, and so would a negative index.
    for (let n = 0; n < places.length; n++) {
      const place = places[n] ?? -1;
      const position = place < 0 ? null : positions[place];
      if (typeof position !== 'number') continue;
      const cell = day * domains.length + n;
      clicks[cell] = (clicks[cell] ?? 0) + weight * clickRate(position);
      searches[cell] = (searches[cell] ?? 0) + weight;
    }
  }
};

type DomainsVisibility = { data: DomainVisibility[]; days: DayVisibility[] };

/** The visibility now, domain by domain, and on each of the last days, oldest first. */
export const visibilityOf = (
  project: Project,
  all: readonly TrackedKeyword[],
  now: number,
): DomainsVisibility => {
  const domains = comparedDomains(project);
  const keywords = comparedKeywords(all, project);
  const first = dayNumber(now) - shownDays + 1;
  const cells = shownDays * domains.length;
  const sums = { clicks: new Float64Array(cells), searches: new Float64Array(cells) };
  for (const keyword of keywords) addDays(sums, keyword, { domains, first });
  const shareAt = (cell: number) => shareOf(sums.clicks[cell] ?? 0, sums.searches[cell] ?? 0);
  return {
    data: domains.map((domain) => domainOf(domain, keywords)),
    days: Array.from({ length: shownDays }, (_, day) => ({
      date: isoDay((first + day) * secondsOfDay),
      shares: Object.fromEntries(domains.map((domain, n) => [domain, shareAt(day * domains.length + n)])),
    })),
  };
};

/**
 * The visibilities that were computed, by the keywords. They are kept as long as none of the keywords
 * changes.
 */
const kept = new WeakMap<readonly TrackedKeyword[], { of: string; visibility: DomainsVisibility }>();

/** As `visibilityOf`, but computed once for the same keywords, domains and day. */
export const keptVisibilityOf = (
  project: Project,
  all: readonly TrackedKeyword[],
  now: number,
): DomainsVisibility => {
  const of = JSON.stringify([dayNumber(now), comparedDomains(project)]);
  const before = kept.get(all);
  if (before?.of === of) return before.visibility;
  const visibility = visibilityOf(project, all, now);
  kept.set(all, { of, visibility });
  return visibility;
};
