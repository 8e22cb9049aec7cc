/** The metrics of a keyword: as the service keeps them, and in the two forms of the API. */
import * as v from 'valibot';
import { component, described, keysOf, withWords } from './described.ts';
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

const competitions = {
  LOW: 'few advertisers',
  MEDIUM: 'some advertisers',
  HIGH: 'many advertisers',
  UNSPECIFIED: 'unknown',
};

export const Competition = v.picklist(keysOf(competitions));
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

const KeywordIdeaMetric = component(
  'KeywordIdeaMetric',
  'The figures of a keyword',
  v.object({
    competition: described(
      Competition,
      withWords(
        'How many advertisers compete for the keyword. It says nothing about unpaid results',
        competitions,
      ),
      'HIGH',
    ),
    competition_index: described(Count, 'The competition as a number from 0 to 100; 0 if unknown', 87),
    avg_monthly_searches: described(
      Count,
      'Searches per month, as a mean over the months; 0 if unknown, see `has_data`',
      12100,
    ),
    low_top_of_page_bid_micros: described(
      Count,
      'A low bid for the top of the page, in millionths of the currency unit; 0 if unknown',
      860000,
    ),
    high_top_of_page_bid_micros: described(
      Count,
      'A high bid for the top of the page, in millionths of the currency unit; 0 if unknown',
      2800000,
    ),
    monthly_search_volumes: described(
      v.array(
        v.object({
          month: described(v.picklist(monthNames), 'The name of the month', 'OCTOBER'),
          year: described(Count, 'The year', 2026),
          monthly_searches: described(Count, 'Searches in that month; 0 if unknown', 14800),
        }),
      ),
      'The searches of each month, in the order of the source; empty if unknown',
      [{ month: 'OCTOBER', year: 2026, monthly_searches: 14800 }],
    ),
  }),
);
type KeywordIdeaMetric = v.InferOutput<typeof KeywordIdeaMetric>;

export const MetricsOfKeyword = described(KeywordIdeaMetric, 'The metrics of the keyword', {
  competition: 'HIGH',
  competition_index: 87,
  avg_monthly_searches: 12100,
  low_top_of_page_bid_micros: 860000,
  high_top_of_page_bid_micros: 2800000,
  monthly_search_volumes: [{ month: 'OCTOBER', year: 2026, monthly_searches: 14800 }],
});

/** Reading 21: what the source does not know is 0. This field says which zero of the volume is unknown. */
export const HasData = described(
  v.boolean(),
  'Whether the source knows the search volume. If false, the volume 0 means unknown, not that nobody ' +
    'searches',
  true,
);

/** An item of a live answer. */
export const KeywordDataSV = component(
  'KeywordDataSV',
  'The search volume of a keyword',
  v.object({
    key: described(v.string(), 'The keyword as it was asked', 'coffee grinder'),
    cmp: described(v.number(), 'The competition from 0 to 1; 0 if unknown', 0.87),
    cpc: described(
      v.number(),
      'The mean of the low and the high bid in currency units; 0 if there is none',
      1.83,
    ),
    ms: described(
      v.array(
        v.object({
          year: described(Count, 'The year', 2026),
          month: described(Count, 'The month, 1 to 12', 10),
          count: described(Count, 'Searches in that month; 0 if unknown', 14800),
        }),
      ),
      'The searches of each month, newest first; empty if unknown',
      [{ year: 2026, month: 10, count: 14800 }],
    ),
    sv: described(Count, 'Searches per month, as a mean; 0 if unknown, see `has_data`', 12100),
    has_data: HasData,
  }),
);
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
 * The form in which keywords are compared: two keywords with the same form are one keyword of the source.
 * Case, white space around and between the words, and the Unicode form of letters make no difference. Empty
 * if nothing is left to ask.
 */
export const keywordForm = (keyword: string): string =>
  keyword.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
