/**
 * The calendar of rank tracking in DATA_DIR (`lib/runtime/calendar.ts`). It never goes back, also if a later
 * start has another `CLOCK_RATE`.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type CalendarStart, calendar, startCalendar } from '../../lib/runtime/calendar.ts';
import { unusable } from './unusable.ts';

const Shown = v.pipe(v.string(), v.parseJson(), v.number());

const saveEveryMs = 1000;

/**
 * A file has the time that the calendar reaches in so many seconds, so that it does not go back if the
 * process is killed before it saves again.
 */
const aheadSeconds = 5;

const readShown = (file: string): number => {
  if (!existsSync(file)) return 0;
  try {
    return v.parse(Shown, readFileSync(file, 'utf8'));
  } catch (error) {
    throw unusable(file, error);
  }
};

/**
 * Starts the calendar of this process and, through its environment, of the threads that it starts later.
 * Returns a function that stops saving its time. @throws an error for people if the file with the time is
 * damaged.
 */
export const runCalendar = (dataDir: string, rate: number): (() => void) => {
  const file = join(dataDir, 'calendar.json');
  const real = Date.now() / 1000;
  const shown = Math.max(real, readShown(file));
  // Then the calendar is the clock, also after this process.
  if (rate === 1 && shown === real) return () => undefined;
  const start: CalendarStart = { real, shown, rate };
  startCalendar(start);
  process.env.CALENDAR = JSON.stringify(start);
  const save = (ahead: number) => {
    try {
      writeFileSync(`${file}.new`, JSON.stringify(calendar() + ahead));
      renameSync(`${file}.new`, file);
    } catch (error) {
      console.error(`The calendar was not saved: ${error}`);
    }
  };
  const saveAhead = () => save(aheadSeconds * rate);
  saveAhead();
  const timer = setInterval(saveAhead, saveEveryMs).unref();
  return () => {
    clearInterval(timer);
    save(0);
  };
};
