/** The `warnings` of a task: what its request contains without effect (Readings 4, 17 and 29). */
import type { GoogleCrawlRequest } from '../model/crawl-request.ts';
import type { PlaceMatch } from '../place/match.ts';

const maxListed = 10;
const maxQuoted = 50;

/** The beginning of a text of the client, in quotes. Half a surrogate pair is escaped, so that the sentence can be stored. */
const quote = (text: string): string => {
  const characters = [...text.slice(0, 2 * maxQuoted + 2)];
  return JSON.stringify(
    characters.length > maxQuoted ? `${characters.slice(0, maxQuoted).join('')}…` : characters.join(''),
  );
};

const listOf = (texts: readonly string[]): string => {
  const listed = texts.slice(0, maxListed).map(quote).join(', ');
  return texts.length > maxListed ? `${listed} and ${texts.length - maxListed} more` : listed;
};

const placeWarning = (given: string, { places }: PlaceMatch): string => {
  const fact =
    places.length === 0
      ? 'is not in the table of places'
      : `is the name of ${places.length} places, such as ${places.slice(0, 2).map(quote).join(' and ')}`;
  return `location_name ${quote(given)} ${fact}. It is sent to the engine unchanged.`;
};

/** A sentence for everything in the request that has no effect; none if all of it has one. */
export const warningsOf = (request: GoogleCrawlRequest, place: PlaceMatch | null): string[] => {
  const { unknown_fields = [], domain, business_name, location_name } = request;
  const competitors = request.competitors ?? [];
  const otherTypes = new Set(competitors.map(({ type }) => type).filter((type) => type !== 'domain'));
  return [
    ...(unknown_fields.length > 0 ? [`Unknown fields are ignored: ${listOf(unknown_fields)}.`] : []),
    ...(otherTypes.size > 0
      ? [`Only competitors of the type "domain" have an effect. Without effect: ${listOf([...otherTypes])}.`]
      : []),
    ...(competitors.length > 0 && !domain ? ['competitors has no effect without domain.'] : []),
    ...(business_name && !domain ? ['business_name has no effect without domain.'] : []),
    ...(place && place.places.length !== 1 ? [placeWarning(location_name, place)] : []),
  ];
};
