/** The `warnings` of a task: what its request contains without effect (Readings 4, 17 and 29). */
import { countryOf } from '../model/country.ts';
import type { CrawlRequest } from '../model/crawl-request.ts';
import { type EngineName, engines, takesPlaces } from '../model/engine.ts';
import { listOfQuotes, quote } from '../model/quote.ts';
import { snapshotLifetimeSeconds } from '../model/request-limits.ts';
import { engineOfId } from '../place/engine-list.ts';
import type { PlaceMatch } from '../place/match.ts';

/** What has no effect in a `location_name`; null if all of it has one. */
const placeWarning = (given: string, { places, position }: PlaceMatch, engine: EngineName): string | null => {
  if (!takesPlaces(engine)) {
    // The full names of countries have no parts.
    const isCountry = places.length === 1 && !places[0]?.includes(',');
    if (isCountry) return null;
    const fact = `${engines[engine].title} takes no place within the country of iso_code`;
    return position
      ? `location_name ${quote(given)} has an effect only on pages that the browser fetches, which has its position and time zone: ${fact}.`
      : `location_name ${quote(given)} has no effect: ${fact}.`;
  }
  if (places.length === 1) return null;
  const fact =
    places.length === 0
      ? 'is not in the table of places'
      : `is the name of ${places.length} places, such as ${places.slice(0, 2).map(quote).join(' and ')}`;
  return `location_name ${quote(given)} ${fact}. It is sent to the engine unchanged.`;
};

type Warned = CrawlRequest & { engine: EngineName; coordinates?: string | null; stop_on_match?: boolean };

const keptHours = snapshotLifetimeSeconds / 3600;

/** Reading 15: an unknown `se_id` and another `priority` than 1 and 2 are recorded. */
const numberWarnings = ({ engine, se_id, iso_code, priority, frequency }: Warned): string[] => {
  const row = engineOfId(engine, se_id);
  return [
    ...(se_id !== 0 && !row ? [`se_id ${se_id} has no effect: the list of ${engine} does not have it.`] : []),
    ...(row && row.iso_code !== countryOf(iso_code)
      ? [`se_id ${se_id} has no effect: it is for ${row.country_name}, not for the country of iso_code.`]
      : []),
    ...(priority !== 1 && priority !== 2 ? [`priority ${priority} has no effect: it is 1 or 2.`] : []),
    ...((frequency ?? 0) > keptHours
      ? [
          `frequency ${frequency} has the effect of ${keptHours}: pages are reused for ${keptHours / 24} days.`,
        ]
      : []),
  ];
};

/** A sentence for everything in the request that has no effect; none if all of it has one. */
export const warningsOf = (request: Warned, place: PlaceMatch | null): string[] => {
  const {
    unknown_fields = [],
    domain,
    business_name,
    location_name,
    engine,
    coordinates,
    stop_on_match,
  } = request;
  const ofPlace = place && placeWarning(location_name, place, engine);
  const competitors = request.competitors ?? [];
  const otherTypes = new Set(competitors.map(({ type }) => type).filter((type) => type !== 'domain'));
  return [
    ...(unknown_fields.length > 0 ? [`Unknown fields are ignored: ${listOfQuotes(unknown_fields)}.`] : []),
    ...(otherTypes.size > 0
      ? [
          `Only competitors of the type "domain" have an effect. Without effect: ${listOfQuotes([...otherTypes])}.`,
        ]
      : []),
    ...(competitors.length > 0 && !domain ? ['competitors has no effect without domain.'] : []),
    ...(business_name && !domain ? ['business_name has no effect without domain.'] : []),
    ...(stop_on_match === true && !domain ? ['stop_on_match has no effect without domain.'] : []),
    ...numberWarnings(request),
    ...(coordinates && location_name !== ''
      ? ['location_name has no effect on the engine beside coordinates.']
      : []),
    ...(!coordinates && ofPlace ? [ofPlace] : []),
  ];
};
