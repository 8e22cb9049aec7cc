/** Matches the `location_name` of a request with the table of places. */
import { countryOf } from '../model/country.ts';
import type { Position } from '../model/place.ts';
import { toKey } from './spelling.ts';
import { countryCalled, type Place, placesNamed } from './table.ts';

export type PlaceMatch = {
  /** The name for the engine: the given one, in the spelling of the table if it names exactly one place. */
  name: string;
  /** Full names of the places that it can mean, largest first. None: the table does not have it. */
  places: string[];
  /**
   * The codes of the countries that the name is known in, or that it ends with, if the country of the request
   * is not one of them (Reading 28). Otherwise none.
   */
  elsewhere: string[];
  /** Of the place, if the name means exactly one in the country; null if the table has no position of it. */
  position: Position | null;
};

/** Engines' lists have some regions with an addition, such as `State of Sao Paulo` and `Stockholm County`. */
const isSameRegion = (given: string, key: string): boolean =>
  ` ${given} `.includes(` ${key} `) || ` ${key} `.includes(` ${given} `);

/**
 * The index of the place's part that each given part names; undefined if they do not name the place. The
 * first part must be the place's own name; the region, the country or both may be left out.
 */
const partsNamed = (given: readonly string[], { keys }: Place): number[] | undefined => {
  const found: number[] = [];
  for (const part of given) {
    const from = (found.at(-1) ?? -1) + 1;
    const at = keys.findIndex((names, n) => {
      const isRegionOfCity = keys.length === 3 && n === 1;
      return n >= from && names.some((key) => key === part || (isRegionOfCity && isSameRegion(part, key)));
    });
    if (at < 0 || (found.length === 0 && at > 0)) return undefined;
    found.push(at);
  }
  return found;
};

type Candidate = { place: Place; named: number[] };

/** A place in the country of the request is preferred to others, then a complete name to a shortened one. */
const narrow = (candidates: Candidate[], isoCode: string): Candidate[] => {
  const rules: ((candidate: Candidate) => boolean)[] = [
    ({ place }) => place.iso_code === countryOf(isoCode),
    ({ place, named }) => named.length === place.parts.length,
  ];
  return rules.reduce((left, rule) => {
    const better = left.filter(rule);
    return better.length > 0 ? better : left;
  }, candidates);
};

/**
 * Replaces parts that differ from the table's only in case, diacritics or white space. Other names, and
 * additions, stay as given.
 */
const respell = (given: readonly string[], { place, named }: Candidate): string =>
  given
    .map((part, n) => {
      const at = named[n] ?? 0;
      return place.keys[at]?.[0] === toKey(part) ? place.parts[at] : part.trim();
    })
    .join(',');

/**
 * The country that the last part of a name with several parts names, if it is another one than that of the
 * request. `Georgia` after a comma names no other country in the United States, because it is a region there.
 */
const otherCountryNamed = async (keys: readonly string[], isoCode: string): Promise<string[]> => {
  const last = keys.at(-1) ?? '';
  const named = keys.length > 1 ? await countryCalled(last) : undefined;
  if (named === undefined || named === countryOf(isoCode)) return [];
  const own = await placesNamed(last, isoCode);
  return own.length > 0 ? [] : [named];
};

const match = async (locationName: string, isoCode: string): Promise<PlaceMatch> => {
  const given = locationName.split(',');
  const keys = given.map(toKey);
  const candidates = (await placesNamed(keys[0] ?? '')).flatMap((place): Candidate[] => {
    const named = partsNamed(keys, place);
    return named ? [{ place, named }] : [];
  });
  const left = narrow(candidates, isoCode).toSorted(
    (a, b) => (b.place.population ?? 0) - (a.place.population ?? 0),
  );
  const places = left.map(({ place }) => place.name);
  const [only] = left;
  const name = only && left.length === 1 ? respell(given, only) : locationName;
  const isThere = left.length === 1 && only?.place.iso_code === countryOf(isoCode);
  const position = isThere ? only.place.position : null;
  if (!only) return { name, places, elsewhere: await otherCountryNamed(keys, isoCode), position };
  const codes = new Set(left.map(({ place }) => place.iso_code));
  return { name, places, elsewhere: codes.has(countryOf(isoCode)) ? [] : [...codes], position };
};

const maxMatches = 2_000;

/** The longest name of the table has 86 characters. Longer names are matched, and not kept. */
const longestKept = 200;

const matches = new Map<string, Promise<PlaceMatch>>();

/**
 * Finds the places that a `location_name` can mean. If there are several, those in the country of the request
 * are meant. A place that was matched before is not searched again, because batches repeat places.
 */
export const matchPlace = (locationName: string, isoCode: string): Promise<PlaceMatch> => {
  if (locationName.length > longestKept) return match(locationName, isoCode);
  const key = `${countryOf(isoCode)} ${locationName}`;
  const found = matches.get(key) ?? match(locationName, isoCode);
  if (matches.size >= maxMatches) matches.clear();
  matches.set(key, found);
  return found;
};
