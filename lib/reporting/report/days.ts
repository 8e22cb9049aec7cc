/** The days of a history, in UTC. Pure. */
import { isoDay, secondsOfDay } from '../../model/day.ts';
import { defaultHistoryDays } from '../../model/report-query.ts';

const secondsAt = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** The day so many days after another, within the four-digit years. */
const daysAfter = (day: string, days: number): string => {
  const text = isoDay(secondsAt(day) + days * secondsOfDay);
  return text.startsWith('+') ? '9999-12-31' : text;
};

/** The days of a history. */
export type Days = { start: string; end: string };

/** Reading 39: the last 30 days; with one date, 30 days from or up to that date. */
export const daysOf = (
  { start_date, end_date }: { start_date?: string | undefined; end_date?: string | undefined },
  now: number,
): Days => {
  const end =
    end_date ?? (start_date === undefined ? isoDay(now) : daysAfter(start_date, defaultHistoryDays));
  return { start: start_date ?? daysAfter(end, -defaultHistoryDays), end };
};

/** The first and the last second of the days. */
export const timesOf = ({ start, end }: Days): { from: number; to: number } => ({
  from: Math.max(0, secondsAt(start)),
  to: secondsAt(end) + secondsOfDay - 1,
});
