/** How keywords moved in a week. Pure. */
import { secondsOfDay } from '../../model/day.ts';
import { countedPosition, type TrackedKeyword } from '../../model/tracking.ts';
import { ownRank } from './show-keyword.ts';

export const weekSeconds = 7 * secondsOfDay;

/**
 * A keyword that was crawled within the week, with its position before the week, or, without one, its first
 * one in it.
 */
export type Move = { keyword: TrackedKeyword; before: number; now: number; since: number };

/** The move of a keyword in the week up to `now`; none if it has no two positions. */
export const movesOf = (keyword: TrackedKeyword, now: number): Move[] => {
  const begin = now - weekSeconds;
  const { current } = ownRank(keyword);
  if (!current || current.at <= begin) return [];
  const known = keyword.days.filter(({ positions }) => typeof positions[0] === 'number');
  const first = known.findLast(({ at }) => at <= begin) ?? known[0];
  const before = first?.positions[0];
  return typeof before === 'number'
    ? [{ keyword, before, now: current.position, since: first?.at ?? 0 }]
    : [];
};

/** Positive is up. Not ranked counts as 101. */
export const changeOf = ({ before, now }: Pick<Move, 'before' | 'now'>): number =>
  countedPosition(before) - countedPosition(now);
