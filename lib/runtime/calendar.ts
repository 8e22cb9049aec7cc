/**
 * The time of rank tracking: when searches are crawled, and on which days. It is the time of the clock,
 * except on the embedded stack, whose `CLOCK_RATE` shortens the hours between crawls. Tasks and webhooks keep
 * the time of the clock, so their time limits do not become shorter.
 */
import { preciseClock } from './clock.ts';

/** From the Unix time `real` on, the calendar runs from `shown`, `rate` times as fast as the clock. */
export type CalendarStart = { real: number; shown: number; rate: number };

let start: CalendarStart = { real: 0, shown: 0, rate: 1 };

/** Sets the calendar of this thread. Only the embedded stack does so. */
export const startCalendar = (from: CalendarStart): void => {
  start = from;
};

/** The calendar at a Unix time: by default now, in whole seconds. */
export const calendar = (clock = preciseClock()): number => {
  const passed = clock - start.real;
  return Math.floor(start.shown + (passed > 0 ? passed * start.rate : passed));
};

/** The Unix time at which the calendar has a time, in whole seconds. */
export const clockOf = (time: number): number => {
  const passed = time - start.shown;
  return Math.floor(start.real + (passed > 0 ? passed / start.rate : passed));
};
