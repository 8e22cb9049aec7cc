/** The time zone of the browser, by country. */
import { expect, test } from 'vitest';
import { timeZoneOf } from '../../../lib/fetcher/time-zone.ts';

test.each([
  ['US', 'America/New_York'],
  ['us', 'America/New_York'],
  ['DE', 'Europe/Berlin'],
  ['FR', 'Europe/Paris'],
  ['UK', 'Europe/London'],
  ['GB', 'Europe/London'],
  ['BR', 'America/Sao_Paulo'],
  ['AU', 'Australia/Sydney'],
  ['CN', 'Asia/Shanghai'],
  ['IN', 'Asia/Calcutta'],
  ['JP', 'Asia/Tokyo'],
  ['XX', 'America/New_York'],
])('the zone of %s is %s', (country, zone) => {
  expect(timeZoneOf(country)).toBe(zone);
});

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

test('every country has a valid time zone', () => {
  const zones = letters.flatMap((a) => letters.map((b) => timeZoneOf(a + b)));

  expect(new Set(zones).size).toBeGreaterThan(200);
  for (const timeZone of new Set(zones)) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
  }
});
