/** The position that a keyword had some days ago. */
import type { ManagedKeyword } from '../../model/managed-keyword.ts';

const dayMs = 86_400_000;

type Days = Pick<ManagedKeyword, 'days' | 'update_frequency'>;

/**
 * The last crawl of the day so many days ago, or else the one before it that was valid then: at most one
 * interval of the schedule older. Undefined: there is none in the last 31 days. `today`: Unix milliseconds.
 */
export const pastPosition = (
  { days, update_frequency }: Days,
  ago: number,
  today = Date.now(),
): Days['days'][number] | undefined => {
  // The embedded stack can run the calendar of tracking ahead of the clock.
  const last = Math.floor(Math.max(today, Date.parse(days.at(-1)?.date ?? '') || 0) / dayMs);
  const wanted = last - ago;
  const oldest = wanted - Math.ceil(update_frequency / 24);
  return days.findLast(({ date }) => {
    const day = Math.floor(Date.parse(date) / dayMs);
    return day <= wanted && day >= oldest;
  });
};
