/** The look-up of places: its parameters, and the places that it returns. */
import * as v from 'valibot';
import { IsoCode } from './crawl-request.ts';
import { maxPlaceQuery } from './request-limits.ts';
import { Count, Text } from './scalar.ts';

const PlaceKind = v.picklist(['country', 'region', 'city']);

export const Location = v.object({
  /** As `location_name` takes it: the name, its region if there is one, and its country, separated by commas. */
  name: v.string(),
  kind: PlaceKind,
  iso_code: v.string(),
  /** Null for countries and regions. */
  population: v.nullable(Count),
});
export type Location = v.InferOutput<typeof Location>;

export const LocationQuery = v.object({
  q: v.pipe(Text, v.minLength(1), v.maxCodePoints(maxPlaceQuery)),
  iso_code: v.optional(IsoCode),
});

/** The list envelope of the specification. The list is returned whole. */
export const LocationList = v.object({
  num_items: Count,
  items: v.array(Location),
  cursor: v.null(),
});
export type LocationList = v.InferOutput<typeof LocationList>;
