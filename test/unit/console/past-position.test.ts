import { expect, test } from 'vitest';
import { pastPosition } from '../../../lib/console/parts/past-position.ts';

const today = Date.parse('2026-11-30T11:00:00Z');
const days = (dates: Record<string, number | null>) =>
  Object.entries(dates).map(([date, position]) => ({ date, position, cited: null }));

test.each([
  ['the crawl of the day', 24, { '2026-11-22': 9, '2026-11-23': 8, '2026-11-24': 7 }, 8],
  ['empty if the day has no crawl', 24, { '2026-11-22': 9, '2026-11-24': 7 }, undefined],
  ['empty if the day has no crawl, more often than daily', 6, { '2026-11-22': 9 }, undefined],
  ['the crawl that covers the day, of a weekly keyword', 168, { '2026-11-17': 9, '2026-11-24': 7 }, 9],
  ['empty on the day of the crawl of a weekly keyword that failed', 168, { '2026-11-16': 9 }, undefined],
  ['not ranked', 24, { '2026-11-23': 1000 }, 1000],
  ['none before the first crawl', 24, { '2026-11-30': 3 }, undefined],
  ['none without crawls', 24, {}, undefined],
])('7 days ago is %s', (_, update_frequency, dates, position) => {
  expect(pastPosition({ days: days(dates), update_frequency }, 7, today)?.position).toBe(position);
});

test('days count from a calendar that is ahead of the clock', () => {
  const found = pastPosition(
    { days: days({ '2026-12-24': 5, '2026-12-31': 2 }), update_frequency: 24 },
    7,
    today,
  );

  expect(found?.position).toBe(5);
});
