/** Places as clients of other services name them: in which country one is, and whether it is known. */
import { type EngineName, takesPlaces } from '../model/engine.ts';
import { matchPlace } from '../place/match.ts';
import { toKey } from '../place/spelling.ts';
import { countryCalled } from '../place/table.ts';

const defaultCountry = 'US';

/** The parts of a name without the blanks that other services have after each comma. */
export const namedPlace = (place: string): string =>
  place
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .join(',');

/** The country of a search. If the client names none, it is that of the most populous place of the name. */
export const countryFor = async ({ country, place }: { country: string; place: string }): Promise<string> => {
  if (country !== '' || place === '') return country.toUpperCase() || defaultCountry;
  const anywhere = await matchPlace(place, '');
  const { elsewhere } = anywhere.places.length > 0 ? anywhere : await matchPlace(place, defaultCountry);
  return elsewhere[0] ?? defaultCountry;
};

/**
 * Whether the table has the place, or its name ends with a country. Engines know more places than the table,
 * so a name with a country is sent to them as it is, with a warning. Without one, nothing says where it is.
 */
export const isSomewhere = async (place: string): Promise<boolean> => {
  if (place === '') return true;
  const { places } = await matchPlace(place, defaultCountry);
  return places.length > 0 || (await countryCalled(toKey(place.split(',').at(-1) ?? ''))) !== undefined;
};

/** The full name of the place that an engine was asked for; empty if the table has none, or several. */
export const placeUsed = async (
  engine: EngineName,
  { location_name, iso_code }: { location_name: string; iso_code: string },
): Promise<string> => {
  if (location_name === '') return '';
  const [place = '', ...others] = (await matchPlace(location_name, iso_code)).places;
  // The full names of countries have no parts.
  return others.length === 0 && (takesPlaces(engine) || !place.includes(',')) ? place : '';
};
