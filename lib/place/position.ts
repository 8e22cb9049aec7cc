/** Where the person is whom the browser simulates. */
import type { Position } from '../model/place.ts';
import { matchPlace } from './match.ts';
import { nearestPosition } from './table.ts';

type Placed = { location_name: string; iso_code: string; coordinates?: string | null };

/**
 * The position of a search: its `coordinates` with the time zone of the nearest city of its country, or the
 * place that its `location_name` names. Undefined if the search is for a whole country, or for a place that
 * is not known.
 */
export const positionOf = async ({
  location_name,
  iso_code,
  coordinates,
}: Placed): Promise<Position | undefined> => {
  if (coordinates) {
    const [latitude = 0, longitude = 0] = coordinates.split(',').map(Number);
    const nearest = await nearestPosition({ latitude, longitude }, iso_code);
    return nearest && { latitude, longitude, timeZone: nearest.timeZone };
  }
  if (location_name === '') return undefined;
  return (await matchPlace(location_name, iso_code)).position ?? undefined;
};
