/** The metrics of a keyword: as the service keeps them, and in the two forms of the API. */
import * as v from 'valibot';
import { Count } from './scalar.ts';

/** The months as the source names them, January first. */
export const monthNames = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;

export const Competition = v.picklist(['LOW', 'MEDIUM', 'HIGH', 'UNSPECIFIED']);
export type Competition = v.InferOutput<typeof Competition>;

/** What a source knows of a keyword. Null is what it does not know. */
export type Metrics = {
  /** Searches per month, as a mean. */
  volume: number | null;
  competition: Competition;
  /** 0 to 100. */
  competitionIndex: number | null;
  lowBidMicros: number | null;
  highBidMicros: number | null;
  /** In the order of the source. */
  months: { year: number /** 1 to 12. */; month: number; searches: number | null }[];
};

/** A source that knows nothing of a keyword. */
export const noMetrics: Metrics = {
  volume: null,
  competition: 'UNSPECIFIED',
  competitionIndex: null,
  lowBidMicros: null,
  highBidMicros: null,
  months: [],
};

export const KeywordIdeaMetric = v.object({
  competition: v.pipe(
    Competition,
    v.description('How many advertisers compete for the keyword. It says nothing about unpaid results'),
  ),
  competition_index: v.pipe(Count, v.description('The competition as a number from 0 to 100; 0 if unknown')),
  avg_monthly_searches: v.pipe(
    Count,
    v.description('Searches per month, as a mean over the months; 0 if unknown, see `has_data`'),
  ),
  low_top_of_page_bid_micros: v.pipe(
    Count,
    v.description('A low bid for the top of the page, in millionths of the currency unit; 0 if unknown'),
  ),
  high_top_of_page_bid_micros: v.pipe(
    Count,
    v.description('A high bid for the top of the page, in millionths of the currency unit; 0 if unknown'),
  ),
  monthly_search_volumes: v.pipe(
    v.array(
      v.object({
        month: v.pipe(v.picklist(monthNames), v.description('The name of the month')),
        year: v.pipe(Count, v.description('The year')),
        monthly_searches: v.pipe(Count, v.description('Searches in that month; 0 if unknown')),
      }),
    ),
    v.description('The searches of each month, in the order of the source; empty if unknown'),
  ),
});
export type KeywordIdeaMetric = v.InferOutput<typeof KeywordIdeaMetric>;

/** Reading 21: what the source does not know is 0. This field says which zero of the volume is unknown. */
export const HasData = v.pipe(
  v.boolean(),
  v.description(
    'Whether the source knows the search volume. If false, the volume 0 means unknown, not that nobody searches',
  ),
);

/** An item of a live answer. */
export const KeywordDataSV = v.object({
  key: v.pipe(v.string(), v.description('The keyword as it was asked')),
  cmp: v.pipe(v.number(), v.description('The competition from 0 to 1; 0 if unknown')),
  cpc: v.pipe(
    v.number(),
    v.description('The mean of the low and the high bid in currency units; 0 if there is none'),
  ),
  ms: v.pipe(
    v.array(
      v.object({
        year: v.pipe(Count, v.description('The year')),
        month: v.pipe(Count, v.description('The month, 1 to 12')),
        count: v.pipe(Count, v.description('Searches in that month; 0 if unknown')),
      }),
    ),
    v.description('The searches of each month, newest first; empty if unknown'),
  ),
  sv: v.pipe(Count, v.description('Searches per month, as a mean; 0 if unknown, see `has_data`')),
  has_data: HasData,
});
export type KeywordDataSV = v.InferOutput<typeof KeywordDataSV>;

export const hasData = ({ volume }: Metrics): boolean => volume !== null;

/** The metrics in the form of tasks and ideas. */
export const ideaMetricOf = (metrics: Metrics): KeywordIdeaMetric => ({
  competition: metrics.competition,
  competition_index: metrics.competitionIndex ?? 0,
  avg_monthly_searches: metrics.volume ?? 0,
  low_top_of_page_bid_micros: metrics.lowBidMicros ?? 0,
  high_top_of_page_bid_micros: metrics.highBidMicros ?? 0,
  monthly_search_volumes: metrics.months.map(({ year, month, searches }) => ({
    month: monthNames[month - 1] ?? 'JANUARY',
    year,
    monthly_searches: searches ?? 0,
  })),
});

/** The mean of the bids that are known, in currency units; 0 if none is. */
const meanBid = ({ lowBidMicros, highBidMicros }: Metrics): number => {
  const known = [lowBidMicros, highBidMicros].filter((bid) => bid !== null);
  return known.length === 0 ? 0 : known.reduce((sum, bid) => sum + bid, 0) / known.length / 1_000_000;
};

/** The metrics in the form of a live answer (Reading 21). Nothing is rounded. */
export const liveMetricOf = (key: string, metrics: Metrics): KeywordDataSV => ({
  key,
  cmp: (metrics.competitionIndex ?? 0) / 100,
  cpc: meanBid(metrics),
  ms: metrics.months
    .toSorted((a, b) => b.year - a.year || b.month - a.month)
    .map(({ year, month, searches }) => ({ year, month, count: searches ?? 0 })),
  sv: metrics.volume ?? 0,
  has_data: hasData(metrics),
});

/**
 * The form in which keywords are compared: two keywords with the same form are one keyword of the source. Case, white space around and
 * between the words, and the Unicode form of letters make no difference. Empty if nothing is left to ask.
 */
export const keywordForm = (keyword: string): string =>
  keyword.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
