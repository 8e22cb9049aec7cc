/** The embedded stack notices that the clock of the machine was set back. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockWarning, secondsBehind, watchClock } from '../../../infra/local/clock-watch.ts';

const start = 1_800_000_000;
const at = (seconds: number): void => void vi.setSystemTime(seconds * 1000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clock-watch-'));
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  at(start);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test('between two runs, the clock is behind the end of the first one', () => {
  expect(secondsBehind(folder)).toBe(0);

  watchClock(folder, () => undefined)();

  at(start - 20);
  expect(secondsBehind(folder)).toBe(0);
  at(start - 3600);
  expect(secondsBehind(folder)).toBe(3600);
  at(start + 3600);
  expect(secondsBehind(folder)).toBe(0);
});

test('after a process that was killed, it is behind the last time that was saved', () => {
  watchClock(folder, () => undefined);
  vi.advanceTimersByTime(7_200_000);

  at(start);
  expect(secondsBehind(folder)).toBeGreaterThan(7200 - 61);
});

test('while the service runs, each step back is told once, and the new time is saved', () => {
  const steps: number[] = [];
  const stop = watchClock(folder, (seconds) => steps.push(seconds));
  vi.advanceTimersByTime(5000);
  // The network adjusts it, or it jumps ahead after a sleep.
  at(start);
  vi.advanceTimersByTime(5000);
  at(start + 86_400);
  vi.advanceTimersByTime(5000);
  expect(steps).toEqual([]);

  at(start);
  vi.advanceTimersByTime(5000);

  expect(steps).toEqual([86_404]);
  expect(Number(readFileSync(join(folder, 'clock.json'), 'utf8'))).toBeLessThan(start + 10);
  stop();
});

test('a file that cannot be read, or a folder that is gone, is no error', () => {
  writeFileSync(join(folder, 'clock.json'), '{');
  expect(secondsBehind(folder)).toBe(0);

  rmSync(folder, { recursive: true });
  watchClock(folder, () => undefined)();
  expect(secondsBehind(folder)).toBe(0);
});

test.each([
  [0, ''],
  [3600, '60 minutes behind'],
  [86_400, '24 hours behind'],
  [31_536_000, '365 days behind'],
])('%i seconds: %s', (behind, words) => {
  expect(clockWarning(behind)).toContain(words);
  expect(clockWarning(behind) === '').toBe(behind === 0);
});
