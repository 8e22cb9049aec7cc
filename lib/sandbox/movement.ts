/**
 * How a ranking varies. Each result has a mean rank. Its rank on a page is near it, and depends on the day,
 * the device, the market and the place, each by itself: what moves from one day to the next moves for
 * everybody.
 */
import { dayNumber } from '../model/day.ts';
import type { SearchContext } from './search-context.ts';
import { seededRandom } from './seeded-random.ts';

export const marketOf = ({ country, language }: SearchContext): string => `${language}-${country}`;

/** Each cause moves a result by at most so many ranks up or down. */
const shiftOf = (context: SearchContext, ranks: number[]): ((rank: number) => number) => {
  const causes = [
    ['day', dayNumber(context.rankedAt), 2],
    ['device', context.device, 1],
    ['market', marketOf(context), 1],
    ['place', context.place, 1],
  ] as const;
  const shifts = new Map<number, number>();
  for (const [cause, value, most] of causes) {
    const { between } = seededRandom(context.query, 'movement', ranks.join(), cause, value);
    for (const rank of ranks) shifts.set(rank, (shifts.get(rank) ?? 0) + (between(-100, 100) * most) / 100);
  }
  return (rank) => rank + (shifts.get(rank) ?? 0);
};

/**
 * The mean ranks of the results at the ranks of a page. Results move only within their page, so a task whose
 * pages are of two days has no result twice. `isFixed`: ranks whose result never moves.
 */
export const meanRanks = (
  context: SearchContext,
  ranks: number[],
  isFixed: (rank: number) => boolean,
): number[] => {
  const moving = ranks.filter((rank) => !isFixed(rank));
  const shifted = shiftOf(context, moving);
  const moved = moving.toSorted((a, b) => shifted(a) - shifted(b)).values();
  return ranks.map((rank) => (isFixed(rank) ? rank : (moved.next().value ?? rank)));
};
