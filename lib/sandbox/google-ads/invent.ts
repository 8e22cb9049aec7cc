/**
 * Invents what Google Ads knows of a keyword. The same keyword in the same market has the same figures in
 * every answer of a month.
 */
import { monthNames } from '../../model/keyword-metrics.ts';
import { seededRandom } from '../seeded-random.ts';

/** The months that an answer has: the last ones that are complete, oldest first. */
const monthCount = 12;

type Month = { year: number; month: number };

const completeMonths = (now: number): Month[] => {
  const today = new Date(now * 1000);
  return Array.from({ length: monthCount }, (_, n) => {
    const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthCount + n, 1));
    return { year: first.getUTCFullYear(), month: first.getUTCMonth() };
  });
};

/** Google rounds to two digits. */
const rounded = (value: number): number => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.round(value / unit) * unit;
};

/** The metrics of a keyword in Google's JSON. `market` is the place and the language. */
export const inventMetrics = (keyword: string, market: string, now: number) => {
  const random = seededRandom('google-ads', market, keyword);
  const usual = 10 * 10 ** (random.between(0, 400) / 100);
  const index = random.between(0, 100);
  const low = random.between(5, 400) * 10_000;
  const months = completeMonths(now).map(({ year, month }) => {
    const searches = rounded((usual * seededRandom(keyword, market, year, month).between(60, 140)) / 100);
    return { month: monthNames[month], year: String(year), monthlySearches: String(searches) };
  });
  const sum = months.reduce((total, { monthlySearches }) => total + Number(monthlySearches), 0);
  return {
    avgMonthlySearches: String(rounded(sum / months.length)),
    monthlySearchVolumes: months,
    competition: index < 34 ? 'LOW' : index < 67 ? 'MEDIUM' : 'HIGH',
    competitionIndex: String(index),
    // Advertisers bid on nine of ten keywords.
    ...(random.chance(0.9) && {
      lowTopOfPageBidMicros: String(low),
      highTopOfPageBidMicros: String(low + random.between(1, 900) * 10_000),
    }),
  };
};

/** Two keywords with the same stem are one for Google Ads: `coffee grinder` and `coffee grinders`. */
export const stemOf = (keyword: string): string => keyword.replace(/(?<=\w{3})s$/, '');

const patterns = [
  'best *',
  '* online',
  'cheap *',
  '* near me',
  '* reviews',
  'buy *',
  '* price',
  '* for beginners',
  'used *',
  '* comparison',
  'how to choose *',
  '* sale',
  'professional *',
  '* brands',
  'small *',
  '* ideas',
  'top 10 *',
  '* guide',
  '* test',
  'new *',
];

/** The ideas for these words, the words themselves first. */
export const inventIdeas = (seeds: readonly string[]): string[] => [
  ...new Set([...seeds, ...seeds.flatMap((seed) => patterns.map((pattern) => pattern.replace('*', seed)))]),
];
