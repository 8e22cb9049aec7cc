/** Checks that the place and the country of a search belong together (Reading 28). */
import { countryOf, isCountry } from '../model/country.ts';
import type { ValidationError } from '../model/http-error.ts';
import { quote } from '../model/quote.ts';
import { maxPlaces } from '../model/request-limits.ts';
import { matchPlace } from '../place/match.ts';
import { countryName } from '../place/names.ts';

/** A place, its country, and where it is in the request. */
type Found = { loc: ValidationError['loc']; name: string; isoCode: string };

const findPlace = (value: unknown, loc: ValidationError['loc']): Found[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (!('location_name' in value && 'iso_code' in value)) return [];
  const { location_name: name, iso_code: isoCode } = value;
  // Other values are errors of their own.
  const isPlace = typeof name === 'string' && typeof isoCode === 'string' && isCountry(isoCode);
  return isPlace && name.trim() !== '' ? [{ loc: [...loc, 'location_name'], name, isoCode }] : [];
};

const nameOf = (code: string): string => `${countryName(code)} (${code})`;

/**
 * The errors of the places in a body, even if other parts of it are invalid. A body may name as many
 * different places as a batch has tasks, because each takes a part of a millisecond.
 */
export const checkPlaces = async (body: unknown): Promise<ValidationError[]> => {
  const found = Array.isArray(body)
    ? body.flatMap((item, n) => findPlace(item, ['body', n]))
    : findPlace(body, ['body']);
  const different = new Set(found.map(({ name, isoCode }) => `${countryOf(isoCode)} ${name}`));
  if (different.size > maxPlaces) {
    const msg = `Value error, more than ${maxPlaces} different places in one request`;
    return [{ loc: ['body'], type: 'value_error', msg }];
  }
  const errors = await Promise.all(
    found.map(async ({ loc, name, isoCode }): Promise<ValidationError[]> => {
      const { elsewhere } = await matchPlace(name, isoCode);
      if (elsewhere.length === 0) return [];
      const countries = elsewhere.slice(0, 3).map(nameOf).join(', ');
      const msg = `Value error, ${quote(name)} is in ${countries}, not in ${nameOf(countryOf(isoCode))}, the country of iso_code`;
      return [{ loc, type: 'value_error', msg }];
    }),
  );
  return errors.flat();
};
