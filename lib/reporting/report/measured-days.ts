/** The days that figures cover, and until when a crawl counts. */
import { secondsOfDay } from '../../model/day.ts';
import type { TrackedKeyword } from '../../model/tracking.ts';

/** Days that the visibility shows. A keyword keeps 31 days with a crawl. */
export const shownDays = 31;

/** How long a crawl may be late until its keyword counts as not measured. */
const lateSeconds = secondsOfDay / 2;

/**
 * Until when a crawl says where a keyword is: until the next one is overdue. So a keyword that is paused, or
 * whose crawls fail, is not measured any more.
 */
export const validUntil = ({ update_frequency }: TrackedKeyword, at: number): number =>
  at + update_frequency * 3600 + lateSeconds;

/** The time of the oldest crawl that is valid at `now`. */
export const validSince = (keyword: TrackedKeyword, now: number): number => now - validUntil(keyword, 0);
