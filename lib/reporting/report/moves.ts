/** How keywords moved in a week. Pure. */
import { secondsOfDay } from '../../model/day.ts';
import { countedPosition, type TrackedKeyword } from '../../model/tracking.ts';
import { ownRank } from './show-keyword.ts';

export const weekSeconds = 7 * secondsOfDay;

/**
 * A keyword that was crawled within the week, with its position before the week, or, without one, its first
 * one in it: that of an earlier crawl in any case.
 */
export type Move = { keyword: TrackedKeyword; before: number; now: number; since: number };

/** Whether a keyword has a position that was crawled in the week up to `now`. */
export const isCrawledInWeek = (keyword: TrackedKeyword, now: number): boolean =>
  (ownRank(keyword).current?.at ?? 0) > now - weekSeconds;

/** The move of a keyword in the week up to `now`; none if it has no two positions. */
export const movesOf = (keyword: TrackedKeyword, now: number): Move[] => {
  const { current, initial } = ownRank(keyword);
  if (!current || !isCrawledInWeek(keyword, now)) return [];
  const earlier = keyword.days.flatMap(({ at, positions: [position] }) =>
    at < current.at && typeof position === 'number' ? [{ at, position }] : [],
  );
  // A keyword keeps one crawl of a day: the first one may be of the same day as the newest.
  if (earlier.length === 0 && initial && initial.at < current.at) earlier.push(initial);
  const first = earlier.findLast(({ at }) => at <= now - weekSeconds) ?? earlier[0];
  return first ? [{ keyword, before: first.position, now: current.position, since: first.at }] : [];
};

/** Positive is up. Not ranked counts as 101. */
export const changeOf = ({ before, now }: Pick<Move, 'before' | 'now'>): number =>
  countedPosition(before) - countedPosition(now);
