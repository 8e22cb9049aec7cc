/** Looks places up for a person who types. */
import type { Location, LocationList } from '../model/place.ts';
import { toKey } from './spelling.ts';
import { type Place, placesContaining } from './table.ts';

export const maxPlaces = 20;

const kinds: Location['kind'][] = ['country', 'region', 'city'];

const isWordStart = (text: string, at: number): boolean => at === 0 || !/[a-z\d]/.test(text[at - 1] ?? '');

const hasWordPrefix = (text: string, query: string): boolean => {
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + 1)) {
    if (isWordStart(text, at)) return true;
  }
  return false;
};

/**
 * How well a place answers a query: 0 is its name, 1 the beginning of its name, 2 the beginning of a word of
 * it. -1: not at all.
 */
const rankOf = (query: string, { keys: [own = [], ...rest] }: Place): number => {
  const names = own.map((name) => [name, ...rest.map(([first]) => first)].join(','));
  if (own.includes(query) || names.includes(query)) return 0;
  if (names.some((name) => name.startsWith(query))) return 1;
  return own.some((name) => hasWordPrefix(name, query)) ? 2 : -1;
};

/**
 * The places that a query can mean, best match first, at most 20. Larger kinds come first, then larger
 * cities.
 */
export const searchPlaces = async ({
  q,
  iso_code,
}: {
  q: string;
  iso_code?: string | undefined;
}): Promise<LocationList> => {
  const query = toKey(q).replace(/ ?, ?/g, ',');
  const items = (await placesContaining(query.replace(/,.*/s, ''), iso_code))
    .map((place) => ({ place, rank: rankOf(query, place) }))
    .filter(({ rank }) => rank >= 0)
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        kinds.indexOf(a.place.kind) - kinds.indexOf(b.place.kind) ||
        (b.place.population ?? 0) - (a.place.population ?? 0) ||
        (a.place.name < b.place.name ? -1 : 1),
    )
    .slice(0, maxPlaces)
    .map(({ place: { name, kind, iso_code, population } }) => ({ name, kind, iso_code, population }));
  return { num_items: items.length, items, cursor: null };
};
