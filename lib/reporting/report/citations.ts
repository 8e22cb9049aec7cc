/** The share of domains in the citations of AI overviews, by day. Pure. */
import { secondsOfDay } from '../../model/day.ts';
import type { TrackedKeyword } from '../../model/tracking.ts';
import { placeOf } from './compared-sites.ts';
import { shownDays, validUntil } from './measured-days.ts';

/** Citations of a domain, and all citations of the overviews in which the domain was looked for. */
type Sum = { cited: number; all: number };

/** Adds the overviews of a keyword. A day without a crawl has the one before it, as long as that is valid. */
const addDays = (
  sums: readonly (readonly Sum[])[],
  keyword: TrackedKeyword,
  { domains, first }: { domains: readonly string[]; first: number },
  now: number,
): void => {
  const { days } = keyword;
  const places = domains.map((domain) => placeOf(keyword, domain, domains[0] ?? ''));
  let next = 0;
  for (let day = 0; day < shownDays; day++) {
    const end = (first + day + 1) * secondsOfDay;
    while ((days[next]?.at ?? end) < end) next++;
    const crawl = days[next - 1];
    if (!crawl?.citations) continue;
    if (crawl.at < end - secondsOfDay && validUntil(keyword, crawl.at) < Math.min(end, now)) continue;
    const [all, ...ofDomains] = crawl.citations;
    places.forEach((place, n) => {
      const cited = ofDomains[place];
      const sum = sums[day]?.[n];
      if (typeof cited !== 'number' || !sum) return;
      sum.cited += cited;
      sum.all += all;
    });
  }
};

/**
 * On each of the last days, oldest first: the part of all citations that leads to each domain, 0 to 1; null
 * without citations. `domains`: the project's own first. `first`: the number of the first day.
 */
export const citationsByDay = (
  keywords: readonly TrackedKeyword[],
  of: { domains: readonly string[]; first: number },
  now: number,
): Record<string, number | null>[] => {
  const sums = Array.from({ length: shownDays }, () => of.domains.map((): Sum => ({ cited: 0, all: 0 })));
  for (const keyword of keywords) {
    if (keyword.days.some(({ citations }) => citations)) addDays(sums, keyword, of, now);
  }
  return sums.map((ofDay) =>
    Object.fromEntries(
      of.domains.map((domain, n) => {
        const { cited, all } = ofDay[n] ?? { cited: 0, all: 0 };
        return [domain, all === 0 ? null : Number((cited / all).toFixed(4))];
      }),
    ),
  );
};
