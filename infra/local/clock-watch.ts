/**
 * Notices that the clock of the machine was set back, while the service runs or between two runs. The clock
 * of a laptop may be hours or years ahead until the network corrects it, and then a time that was stored
 * meanwhile is that far away.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lookEveryMs = 1000;
const saveEverySeconds = 60;

/** A clock that is only adjusted goes back by less. */
const adjustedSeconds = 30;

const fileOf = (dataDir: string): string => join(dataDir, 'clock.json');

/** The last time that was saved; 0 if there is none that can be read. Then nothing is noticed once. */
const readSaved = (dataDir: string): number => {
  try {
    return Number(readFileSync(fileOf(dataDir), 'utf8')) || 0;
  } catch {
    return 0;
  }
};

const clockSeconds = (): number => Math.floor(Date.now() / 1000);

/**
 * By how many seconds the clock is behind the time at which a service used this folder last; 0 if it is not.
 */
export const secondsBehind = (dataDir: string): number => {
  const behind = readSaved(dataDir) - clockSeconds();
  return behind > adjustedSeconds ? behind : 0;
};

/**
 * Saves the time each minute, and calls `wentBack` with the seconds when the clock is set back. Returns a
 * function that ends this.
 */
export const watchClock = (dataDir: string, wentBack: (seconds: number) => void): (() => void) => {
  let last = clockSeconds();
  let saved = 0;
  const save = (time: number) => {
    saved = time;
    try {
      writeFileSync(`${fileOf(dataDir)}.new`, String(time));
      renameSync(`${fileOf(dataDir)}.new`, fileOf(dataDir));
    } catch {
      // The disk is full, or the folder is gone: the stores say so.
    }
  };
  save(last);
  const look = () => {
    const now = clockSeconds();
    const seconds = last - now;
    last = now;
    if (seconds > adjustedSeconds) wentBack(seconds);
    if (Math.abs(now - saved) >= saveEverySeconds) save(now);
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return () => {
    clearInterval(timer);
    save(clockSeconds());
  };
};

/** What `npm start` says about a clock that is behind; empty if it is not. */
export const clockWarning = (behind: number): string => {
  if (behind === 0) return '';
  const [amount, unit] =
    behind < 7200
      ? [behind / 60, 'minutes']
      : behind < 172_800
        ? [behind / 3600, 'hours']
        : [behind / 86_400, 'days'];
  return `
  WARNING: the clock of this machine is ${Math.round(amount)} ${unit} behind the time at which this folder was used last.
  What was planned then waits for its time: crawls of tracked keywords, retries, and searches that waited.
`;
};
