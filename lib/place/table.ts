/**
 * The table of places: the countries, their regions, and their cities of 15,000 people and more. `npm run
 * data:places` writes it, from data of GeoNames (CC BY 4.0), and describes its lines. The file is read at the
 * first use, and a line is parsed when it is found, so that an API function starts almost as fast as without
 * the table.
 */
import { readFile } from 'node:fs/promises';
import { countryOf } from '../model/country.ts';
import type { Location, Position } from '../model/place.ts';

/** A place of the table. */
export type Place = Location & {
  /** Of a city, and of the largest city of a region; null if the table has none. */
  position: Position | null;
  /**
   * The parts of the name, and for each the keys that it answers to: its own first, then those of its other
   * names.
   */
  parts: string[];
  keys: string[][];
};

/** The lines of a country, each after a line break, and the same text in lower case. */
type Country = { code: string; head: Named; lines: string; text: string };

/** A line without its mark: the name of the table, and the keys of all its names. */
type Named = { mark: string; name: string; keys: string[] };

const readLine = (lines: string, at: number): Named => {
  const end = lines.indexOf('\n', at);
  const [mark = '', ...names] = lines.slice(at, end < 0 ? lines.length : end).split('|');
  // Names of the table are plain already, so lower case makes their keys.
  const keys = names.slice(0, -1).map((name) => name.toLowerCase());
  return { mark, name: names[0] ?? '', keys };
};

const readCountries = async (): Promise<Country[]> => {
  const table = await readFile(new URL('./places.txt', import.meta.url), 'latin1');
  return table
    .trimEnd()
    .split('\n=')
    .map((block) => {
      const lines = `\n=${block.replace(/^=/, '')}`;
      const head = readLine(lines, 1);
      return { code: head.mark.slice(1, 3), head, lines, text: lines.toLowerCase() };
    });
};

let reading: Promise<Country[]> | undefined;
const countriesOfTable = (): Promise<Country[]> => {
  reading ??= readCountries();
  return reading;
};

/** The position in the mark of a city; null in any other mark. */
const positionIn = ({ head }: Country, mark: string): Position | null => {
  const [, ...zones] = head.mark.split(' ');
  const [population, latitude, longitude, zone = 0] = mark.split(' ').map(Number);
  const timeZone = zones[zone];
  if (!population || latitude === undefined || longitude === undefined || !timeZone) return null;
  return { latitude, longitude, timeZone };
};

/** The place of the line that begins at an index. */
const placeAt = (country: Country, at: number): Place => {
  const { code, head, lines } = country;
  const own = readLine(lines, at);
  const kind = own.mark.startsWith('=') ? 'country' : own.mark === '-' ? 'region' : 'city';
  const region = kind === 'city' ? lines.lastIndexOf('\n-', at) : -1;
  const path = [
    own,
    ...(region < 0 ? [] : [readLine(lines, region + 1)]),
    ...(kind === 'country' ? [] : [head]),
  ];
  // The cities of a region follow it, the largest one first.
  const ofPosition = kind === 'region' ? readLine(lines, lines.indexOf('\n', at) + 1) : own;
  return {
    name: path.map(({ name }) => name).join(','),
    kind,
    iso_code: code,
    population: kind === 'city' ? Number.parseInt(own.mark, 10) : null,
    position: positionIn(country, ofPosition.mark),
    parts: path.map(({ name }) => name),
    keys: path.map(({ keys }) => keys),
  };
};

/** The places of a country whose line contains the text. */
const placesWith = (country: Country, text: string): Place[] => {
  const places: Place[] = [];
  let at = country.text.indexOf(text);
  while (at >= 0) {
    places.push(placeAt(country, country.text.lastIndexOf('\n', at) + 1));
    const end = country.text.indexOf('\n', at + 1);
    at = end < 0 ? -1 : country.text.indexOf(text, end);
  }
  return places;
};

/** The places with a name of this key, of one country or of all. */
export const placesNamed = async (key: string, isoCode?: string): Promise<Place[]> =>
  // A name that contains the separator is no name of the table.
  key === '' || key.includes('|') ? [] : placesContaining(`|${key}|`, isoCode);

/** The code of the country with a name of this key; undefined if the table does not have it. */
export const countryCalled = async (key: string): Promise<string | undefined> =>
  (await countriesOfTable()).find(({ head }) => head.keys.includes(key))?.code;

/** The name of a country; undefined if the table does not have it. */
export const countryNamed = async (isoCode: string): Promise<string | undefined> =>
  (await countriesOfTable()).find(({ code }) => code === countryOf(isoCode))?.head.name;

/**
 * The position of the city that is nearest to a point in a country; undefined if the table has no city of it.
 */
export const nearestPosition = async (
  { latitude, longitude }: Pick<Position, 'latitude' | 'longitude'>,
  isoCode: string,
): Promise<Position | undefined> => {
  const country = (await countriesOfTable()).find(({ code }) => code === countryOf(isoCode));
  const marks = country?.lines.matchAll(/\n(\d[^|]*)\|/g) ?? [];
  // A degree of longitude is shorter, the farther it is from the equator.
  const width = Math.cos((latitude * Math.PI) / 180);
  let nearest: { position: Position; distance: number } | undefined;
  for (const [, mark = ''] of marks) {
    const position = country && positionIn(country, mark);
    if (!position) continue;
    const east = Math.abs(position.longitude - longitude);
    const distance = Math.hypot(position.latitude - latitude, Math.min(east, 360 - east) * width);
    if (!nearest || distance < nearest.distance) nearest = { position, distance };
  }
  return nearest?.position;
};

/** The places of a country, or of all countries, with names that contain a text. */
export const placesContaining = async (text: string, isoCode: string | undefined): Promise<Place[]> => {
  const code = isoCode && countryOf(isoCode);
  const countries = await countriesOfTable();
  return countries
    .filter((each) => code === undefined || each.code === code)
    .flatMap((each) => placesWith(each, text));
};
