/** The position that a keyword had some days ago. */
import { coveredDays } from '../../model/day.ts';
import type { ManagedKeyword } from '../../model/managed-keyword.ts';

const dayMs = 86_400_000;

type Days = Pick<ManagedKeyword, 'days' | 'update_frequency'>;

/**
 * The last crawl of the day so many days ago, in UTC. A keyword that is not crawled each day has the crawl
 * that covers the day. Undefined: there is none in the last 31 days, and `isOfDay` is false if it is of an
 * earlier day. `today`: Unix milliseconds.
 */
export const pastPosition = (
  { days, update_frequency }: Days,
  ago: number,
  today = Date.now(),
): (Days['days'][number] & { isOfDay: boolean }) | undefined => {
  // The embedded stack can run the calendar of tracking ahead of the clock.
  const last = Math.floor(Math.max(today, Date.parse(days.at(-1)?.date ?? '') || 0) / dayMs);
  const wanted = last - ago;
  const dayOf = (date: string): number => Math.floor(Date.parse(date) / dayMs);
  const found = days.findLast(({ date }) => dayOf(date) <= wanted);
  return found && dayOf(found.date) + coveredDays(update_frequency) > wanted
    ? { ...found, isOfDay: dayOf(found.date) === wanted }
    : undefined;
};
