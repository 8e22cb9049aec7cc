/** The calendar of the embedded stack: how fast it runs, and that it never goes back. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCalendar } from '../../../infra/local/calendar.ts';
import { calendar, clockOf, startCalendar } from '../../../lib/runtime/calendar.ts';

const start = 1_800_000_000;
const at = (seconds: number): void => void vi.setSystemTime(seconds * 1000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-'));
  vi.useFakeTimers({ toFake: ['Date'] });
  at(start);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
  startCalendar({ real: 0, shown: 0, rate: 1 });
  delete process.env.CALENDAR;
});

test('is the clock at the rate 1, and sets nothing', () => {
  runCalendar(folder, 1)();
  expect(calendar()).toBe(start);
  expect(clockOf(start + 5)).toBe(start + 5);
  expect(process.env.CALENDAR).toBeUndefined();
});

test('runs faster than the clock from its start on, and each of its times has a time of the clock', () => {
  const stop = runCalendar(folder, 86_400);
  at(start + 2.5);
  expect(calendar()).toBe(start + 2.5 * 86_400);
  expect(clockOf(start + 2 * 86_400)).toBe(start + 2);
  expect([calendar(start - 60), clockOf(start - 60)]).toEqual([start - 60, start - 60]);
  stop();
});

test.each([1, 60])('goes on where it stopped, at the rate %d', (rate) => {
  const stop = runCalendar(folder, 86_400);
  at(start + 10);
  stop();
  at(start + 1000);
  runCalendar(folder, rate)();
  expect(calendar()).toBe(start + 10 * 86_400);
  at(start + 1001);
  expect(calendar()).toBe(start + 10 * 86_400 + rate);
});

test('names a damaged file', () => {
  writeFileSync(join(folder, 'calendar.json'), '{');
  expect(() => runCalendar(folder, 1)).toThrow(/calendar\.json/);
});

test('does not go back after a process that was killed', () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  at(start);
  const stop = runCalendar(folder, 86_400);
  vi.advanceTimersByTime(3900);
  const seen = calendar();
  const killed = readFileSync(join(folder, 'calendar.json'), 'utf8');
  stop();
  writeFileSync(join(folder, 'calendar.json'), killed);

  at(start + 4);
  runCalendar(folder, 1)();
  expect(calendar()).toBeGreaterThanOrEqual(seen);
});
