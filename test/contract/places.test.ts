/** The table of places: it is the generated one, every name of it is found, and every country is there. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { placesTable } from '../../infra/commands/places.ts';
import { countries } from '../../lib/model/country.ts';
import { matchPlace } from '../../lib/place/match.ts';
import { toPlain } from '../../lib/place/spelling.ts';
import { placesContaining } from '../../lib/place/table.ts';

/** The places of all lines. */
const places = await placesContaining('', undefined);

const table = readFileSync(new URL('../../lib/place/places.txt', import.meta.url), 'utf8');

test('is what `npm run data:places` writes', () => {
  expect(placesTable() === table).toBe(true);
});

test('is smaller than a megabyte, and plain ASCII', () => {
  expect(Buffer.byteLength(table)).toBeLessThan(850_000);
  expect(table).toMatch(/^[\n\x20-\x7e]+$/);
});

test('has every country once', async () => {
  const codes = [...table.matchAll(/^=(..)[ |]/gm)].map(([, code]) => code);

  expect(codes).toEqual([...countries]);
});

test('has about 25,000 cities and 3,800 regions, and no name twice', () => {
  const numbers = Object.fromEntries(
    Map.groupBy(places, ({ kind }) => kind)
      .entries()
      .map(([kind, { length }]) => [kind, length]),
  );

  expect(numbers.country).toBe(249);
  expect(numbers.region).toBeGreaterThan(3_500);
  expect(numbers.city).toBeGreaterThan(24_000);
  expect(new Set(places.map(({ name, kind }) => `${kind} ${name}`)).size).toBe(places.length);
});

test('every city and every region with a city has a position, in a time zone that browsers know', () => {
  const cities = places.filter(({ kind }) => kind === 'city');
  const zones = new Set(cities.map(({ position }) => position?.timeZone));
  const wrong = cities.filter(
    ({ position }) => !position || Math.abs(position.latitude) > 90 || Math.abs(position.longitude) > 180,
  );

  expect(wrong).toEqual([]);
  expect(zones.size).toBeGreaterThan(300);
  for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
  expect(places.filter(({ kind, position }) => kind === 'country' && position)).toEqual([]);
});

test('every name is plain, and is matched with itself', async () => {
  const wrong = [];
  for (const { name, iso_code } of places.filter((_, n) => n % 7 === 0)) {
    const match = await matchPlace(name, iso_code);
    if (match.name !== name || !match.places.includes(name) || toPlain(name) !== name) wrong.push(name);
  }

  expect(wrong).toEqual([]);
});
