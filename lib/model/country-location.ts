/** The Google Ads codes of countries: 2000 and the number of the country in ISO 3166-1. */
import { countryOf } from './country.ts';
import { territoryLines } from './territories.ts';

let known: Map<string, number> | undefined;

/** Country → its code. Made once in a process: some functions ask for each keyword of a chunk. */
const codes = (): Map<string, number> => {
  known ??= new Map(
    territoryLines
      .trim()
      .split('\n')
      .map((line) => line.split('|'))
      .map(([country = '', number]) => [country, 2000 + Number(number)]),
  );
  return known;
};

/** The country of a code; undefined if the code is not that of a country. */
export const countryOfLocation = (code: number): string | undefined =>
  codes()
    .entries()
    .find(([, each]) => each === code)?.[0];

/** The code of a country. */
export const locationOfCountry = (isoCode: string): number | undefined => codes().get(countryOf(isoCode));

/** The codes of all countries. */
export const countryLocations = (): number[] => [...codes().values()];
