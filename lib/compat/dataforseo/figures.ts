/** The figures of a keyword in the form of DataForSEO, and where they come from. Pure. */
import { hasData, type Metrics } from '../../model/keyword-metrics.ts';
import { clock } from '../../runtime/clock.ts';
import { present } from '../present.ts';

const bid = (micros: number | null): number | undefined => (micros === null ? undefined : micros / 1_000_000);

/** The figures of a keyword. What the source does not know is absent. */
export const volumeOf = (
  keyword: string,
  metrics: Metrics,
  about: { location_code?: number | undefined; language_code?: string | undefined },
) => ({
  keyword,
  ...present({
    ...about,
    competition: metrics.competition === 'UNSPECIFIED' ? undefined : metrics.competition,
    competition_index: metrics.competitionIndex,
    search_volume: hasData(metrics) ? metrics.volume : undefined,
    low_top_of_page_bid: bid(metrics.lowBidMicros),
    high_top_of_page_bid: bid(metrics.highBidMicros),
    monthly_searches: metrics.months
      .toSorted((a, b) => b.year - a.year || b.month - a.month)
      .map(({ year, month, searches }) => present({ year, month, search_volume: searches })),
  }),
  search_partners: false,
});

/** Where figures come from, in the headers of a search. */
export const originOf = (
  isInvented: boolean,
  age: Record<string, string>,
  isEmpty: boolean,
): Record<string, string> => ({
  'x-search-verdict': isEmpty ? 'empty' : 'results',
  'x-search-reused': String((age['x-cache'] ?? 'miss') !== 'miss'),
  'x-search-crawled-at': new Date((clock() - Number(age.age ?? 0)) * 1000).toISOString(),
  'x-search-source': isInvented ? 'sandbox' : 'live',
});
