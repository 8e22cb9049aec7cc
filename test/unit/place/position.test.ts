/** Where the browser is for a search. */
import { expect, test } from 'vitest';
import { positionOf } from '../../../lib/place/position.ts';

const berlin = { latitude: 52.52, longitude: 13.41, timeZone: 'Europe/Berlin' };

test.each([
  ['a city', 'Berlin', 'DE', berlin],
  [
    'a city of a country with several time zones',
    'Denver,Colorado,United States',
    'US',
    { timeZone: 'America/Denver' },
  ],
  [
    'the largest city of a region',
    'Hawaii,United States',
    'US',
    { latitude: 21.31, timeZone: 'Pacific/Honolulu' },
  ],
  ['a city of another spelling', 'münchen', 'DE', { latitude: 48.14, longitude: 11.58 }],
])('%s has its position', async (_, location_name, iso_code, position) => {
  expect(await positionOf({ location_name, iso_code })).toMatchObject(position);
});

test.each([
  ['no place', '', 'DE'],
  ['a country', 'Germany', 'DE'],
  ['an unknown place', 'Atlantis', 'DE'],
  ['a name of several places', 'Springfield', 'US'],
])('%s has none', async (_, location_name, iso_code) => {
  expect(await positionOf({ location_name, iso_code })).toBeUndefined();
});

test.each([
  ['21.3,-157.8', 'US', { latitude: 21.3, longitude: -157.8, timeZone: 'Pacific/Honolulu' }],
  ['48.2,11.6,500', 'DE', { latitude: 48.2, longitude: 11.6, timeZone: 'Europe/Berlin' }],
  ['52,-176', 'US', { latitude: 52, longitude: -176, timeZone: 'America/Anchorage' }],
  ['-17,179.99', 'FJ', { timeZone: 'Pacific/Fiji' }],
])('coordinates %s have the time zone of the nearest city of %s', async (coordinates, iso_code, position) => {
  expect(await positionOf({ location_name: 'Berlin', iso_code, coordinates })).toMatchObject(position);
});

test('coordinates in a country without a city of the table have no position', async () => {
  expect(await positionOf({ location_name: '', iso_code: 'AQ', coordinates: '-80,0' })).toBeUndefined();
});
