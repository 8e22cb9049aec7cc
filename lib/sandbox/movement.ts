/**
 * How a ranking varies. Each result has a mean rank. Its rank on a page is near it, and depends on the day, the device, the market and the
 * place, each by itself: what moves from one day to the next moves for everybody.
 */
import type { SearchContext } from './search-context.ts';
import { seededRandom } from './seeded-random.ts';

/** Results move only within the ten ranks from 10n + 1 to 10n + 10, so a task whose pages are of two days has no result twice. */
const span = 10;

export const marketOf = ({ country, language }: SearchContext): string => `${language}-${country}`;

/** The UTC day of a page. */
const dayOf = ({ now }: SearchContext): number => Math.floor(now / 86_400);

/** The mean ranks of the results at the ranks of one span. Each cause moves a result by at most one rank up or down, the day by two. */
const meansOf = (context: SearchContext, ranks: number[]): number[] => {
  const causes = [
    ['day', dayOf(context), 2],
    ['device', context.device, 1],
    ['market', marketOf(context), 1],
    ['place', context.place, 1],
  ] as const;
  const shifted = new Map(ranks.map((rank) => [rank, rank]));
  for (const [cause, value, most] of causes) {
    const { between } = seededRandom(context.query, 'movement', ranks.join(), cause, value);
    for (const rank of ranks) shifted.set(rank, shifted.get(rank)! + (between(-100, 100) * most) / 100);
  }
  return ranks.toSorted((a, b) => shifted.get(a)! - shifted.get(b)!);
};

/** Returns the mean rank of the result at each rank. `isFixed`: ranks whose result never moves. */
export const movement = (
  context: SearchContext,
  isFixed: (rank: number) => boolean,
): ((rank: number) => number) => {
  const means = new Map<number, number>();
  return (rank) => {
    if (isFixed(rank)) return rank;
    if (!means.has(rank)) {
      const first = Math.floor((rank - 1) / span) * span + 1;
      const moving = Array.from({ length: span }, (_, i) => first + i).filter((at) => !isFixed(at));
      const found = meansOf(context, moving);
      for (const [i, at] of moving.entries()) means.set(at, found[i] ?? at);
    }
    return means.get(rank) ?? rank;
  };
};
