/** The times of crawls: spread over the period, and one crawl for all that were missed. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { firstDueTime, nextAlertTime, nextDueTime } from '../../../lib/reporting/due-time.ts';

const hour = 3600;
const day = 24 * hour;
const now = 1_800_000_000;

const hashes = Array.from({ length: 2000 }, (_, n) =>
  createHash('sha256').update(String(n)).digest('hex').slice(0, 32),
);

const largestPart = (times: readonly number[], from: number, partSeconds: number): number => {
  const parts = Map.groupBy(times, (time) => Math.floor((time - from) / partSeconds));
  return Math.max(...[...parts.values()].map((part) => part.length));
};

describe('the first crawl', () => {
  test('is within the first hour, and the first crawls are spread over it', () => {
    const times = hashes.map((hash) => firstDueTime(hash, now));

    expect(Math.min(...times)).toBeGreaterThanOrEqual(now);
    expect(Math.max(...times)).toBeLessThan(now + hour);
    // 2,000 searches in 60 minutes are 33 a minute.
    expect(largestPart(times, now, 60)).toBeLessThan(70);
  });
});

describe('the next crawl', () => {
  test('is spread over the whole period', () => {
    const times = hashes.map((hash) => nextDueTime(hash, 24, now));

    expect(largestPart(times, now, hour)).toBeLessThan(140);
  });

  test.each([24, 168, 720])('every %i hours is not in the last 15 minutes of a day', (hours) => {
    const last = 'ffffffff'.padEnd(32, '0');
    const seconds = [...hashes, last].map((hash) => nextDueTime(hash, hours, now) % day);

    expect(Math.max(...seconds)).toBeLessThan(day - hour / 4);
    expect(Math.max(...seconds)).toBeGreaterThan(day - hour / 2);
    expect(Math.min(...seconds)).toBeLessThan(hour / 4);
  });

  test('every hour can be at any time of a day', () => {
    const midnight = now - (now % day);
    const seconds = hashes.map((hash) => nextDueTime(hash, 1, midnight + 23 * hour) - midnight);

    expect(seconds.filter((each) => each >= day - hour / 4 && each < day).length).toBeGreaterThan(0);
  });

  test('comes every period at the same time, if the search is crawled when it is due', () => {
    for (const hash of hashes.slice(0, 50)) {
      const first = nextDueTime(hash, 24, now);
      const second = nextDueTime(hash, 24, first + 600);

      expect(second).toBe(first + day);
    }
  });

  test('is one for all that were missed', () => {
    const [hash = ''] = hashes;
    const due = nextDueTime(hash, 24, now);
    const late = due + 3 * day + 5 * hour;

    const next = nextDueTime(hash, 24, late);

    expect(next).toBe(due + 4 * day);
  });

  test('is at least half a period after the last one', () => {
    for (const hours of [1, 24, 168, 720]) {
      for (const hash of hashes.slice(0, 50)) {
        const seconds = nextDueTime(hash, hours, now) - now;

        expect(seconds).toBeGreaterThanOrEqual((hours * hour) / 2);
        expect(seconds).toBeLessThanOrEqual(1.5 * hours * hour);
      }
    }
  });
});

describe('the next alert', () => {
  const projects = Array.from({ length: 2000 }, (_, n) => n + 1);

  test('is later than now, and at most a day later', () => {
    for (const project of projects) {
      const seconds = nextAlertTime(project, now) - now;

      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(day);
    }
  });

  test('comes each day at the same time', () => {
    for (const project of projects.slice(0, 50)) {
      const first = nextAlertTime(project, now);

      expect(nextAlertTime(project, first)).toBe(first + day);
      expect(nextAlertTime(project, first - 1)).toBe(first);
    }
  });

  test('is spread over the day, and the same in each version', () => {
    const times = projects.map((project) => nextAlertTime(project, now));

    expect(largestPart(times, now, hour)).toBeLessThan(140);
    // The first four bytes of the SHA-256 of "7", as a number, modulo 86,400.
    expect(nextAlertTime(7, 0)).toBe(60_443);
  });
});
