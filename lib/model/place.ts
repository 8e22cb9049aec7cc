/** The look-up of places: its parameters, and the places that it returns. */
import * as v from 'valibot';
import { IsoCode } from './crawl-request.ts';
import { component, described, keysOf, withWords } from './described.ts';
import { maxPlaceQuery } from './request-limits.ts';
import { Count, Text } from './scalar.ts';

const placeKinds = {
  country: 'a country',
  region: 'a state, a province or another part of a country',
  city: 'a city of 15,000 people and more',
};

const PlaceKind = v.picklist(keysOf(placeKinds));

export const Location = component(
  'Location',
  'A place that `location_name` can name',
  v.object({
    /** The name, its region if there is one, and its country, separated by commas. */
    name: described(v.string(), 'The place, as `location_name` takes it', 'Berlin,State of Berlin,Germany'),
    kind: described(PlaceKind, withWords('The kind of the place', placeKinds), 'city'),
    iso_code: described(v.string(), 'The country of the place, as `iso_code` takes it', 'DE'),
    population: described(
      v.nullable(Count),
      'The inhabitants of a city. Null for countries and regions',
      3426354,
    ),
  }),
);
export type Location = v.InferOutput<typeof Location>;

export const LocationQuery = v.object({
  q: described(
    v.pipe(Text, v.minLength(1), v.maxCodePoints(maxPlaceQuery)),
    'The beginning of the name of a place, or of a word of it',
    'Berl',
  ),
  iso_code: described(v.optional(IsoCode), 'Only places of this country', 'DE'),
});

/** The list envelope of the specification. The list is returned whole. */
export const LocationList = component(
  'LocationList',
  'The places that a query finds',
  v.object({
    num_items: described(Count, 'The number of items in this response', 1),
    items: described(v.array(Location), 'The places, best match first', []),
    cursor: described(v.nullable(v.string()), 'Always null: the list is returned whole', null),
  }),
);
export type LocationList = v.InferOutput<typeof LocationList>;

/** A point in degrees, and the time zone that people there have. */
export type Position = { latitude: number; longitude: number; timeZone: string };
