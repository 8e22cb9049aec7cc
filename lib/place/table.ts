/**
 * The table of places: the countries, their regions, and their cities of 15,000 people and more. `npm run
 * data:places` writes it, from data of GeoNames (CC BY 4.0), and describes its lines. The file is read at the
 * first use, and a line is parsed when it is found, so that an API function starts almost as fast as without
 * the table.
 */
import { readFile } from 'node:fs/promises';
import { countryOf } from '../model/country.ts';
import type { Location } from '../model/place.ts';

/** A place of the table. */
export type Place = Location & {
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
      return { code: head.mark.slice(1), head, lines, text: lines.toLowerCase() };
    });
};

let reading: Promise<Country[]> | undefined;
const countriesOfTable = (): Promise<Country[]> => {
  reading ??= readCountries();
  return reading;
};

/** The place of the line that begins at an index. */
const placeAt = ({ code, head, lines }: Country, at: number): Place => {
  const own = readLine(lines, at);
  const kind = own.mark.startsWith('=') ? 'country' : own.mark === '-' ? 'region' : 'city';
  const region = kind === 'city' ? lines.lastIndexOf('\n-', at) : -1;
  const path = [
    own,
    ...(region < 0 ? [] : [readLine(lines, region + 1)]),
    ...(kind === 'country' ? [] : [head]),
  ];
  return {
    name: path.map(({ name }) => name).join(','),
    kind,
    iso_code: code,
    population: kind === 'city' ? Number(own.mark) : null,
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

/** The places of a country, or of all countries, with names that contain a text. */
export const placesContaining = async (text: string, isoCode: string | undefined): Promise<Place[]> => {
  const code = isoCode && countryOf(isoCode);
  const countries = await countriesOfTable();
  return countries
    .filter((each) => code === undefined || each.code === code)
    .flatMap((each) => placesWith(each, text));
};
