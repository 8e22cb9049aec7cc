/** The Google Ads codes of countries: 2000 and the number of the country in ISO 3166-1. */
import { countryOf } from './country.ts';
import { territoryLines } from './territories.ts';

const codes = (): [country: string, code: number][] =>
  territoryLines
    .trim()
    .split('\n')
    .map((line) => line.split('|'))
    .map(([country = '', number]) => [country, 2000 + Number(number)]);

/** The country of a code; undefined if the code is not that of a country. */
export const countryOfLocation = (code: number): string | undefined =>
  codes().find(([, each]) => each === code)?.[0];

/** The code of a country. */
export const locationOfCountry = (isoCode: string): number | undefined =>
  codes().find(([country]) => country === countryOf(isoCode))?.[1];

/** The codes of all countries. */
export const countryLocations = (): number[] => codes().map(([, code]) => code);
