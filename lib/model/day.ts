/** Days, in UTC. */

export const secondsOfDay = 86_400;

/** The number of the day of a Unix time, counted from 1970. */
export const dayNumber = (at: number): number => Math.floor(at / secondsOfDay);

/** The day of a Unix time, as `YYYY-MM-DD`. */
export const isoDay = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10);

/** The days between two days, both as `YYYY-MM-DD`. */
export const daysBetween = (start: string, end: string): number =>
  (Date.parse(end) - Date.parse(start)) / (secondsOfDay * 1000);

/**
 * The most days that a crawl covers, if a keyword is crawled every `hours` hours: its own day, and the days
 * after it on which no crawl is due.
 */
export const coveredDays = (hours: number): number => Math.ceil(hours / 24);
