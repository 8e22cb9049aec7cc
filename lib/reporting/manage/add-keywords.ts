/**
 * Adds keywords to a project. A keyword that the project has already is left out, so a request may be
 * repeated.
 */
import { sitesOf } from '../../model/engine.ts';
import { HttpError, type ValidationError } from '../../model/http-error.ts';
import { listOfQuotes, quote } from '../../model/quote.ts';
import { maxListedErrors, maxProjectKeywords } from '../../model/request-limits.ts';
import type { AddedKeywords, KeywordRequest } from '../../model/tracked-keyword.ts';
import type { Project } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { matchPlace, type PlaceMatch } from '../../place/match.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { readPresentChunks } from '../../store/chunks.ts';
import { readClaimed } from '../../store/import-claims.ts';
import { beginWork } from '../../store/project-work.ts';
import { findProject } from '../find.ts';
import { endRequest } from '../finish-work.ts';
import { newIds } from '../new-ids.ts';
import { byIdentity, identityOf, newKeyword } from '../new-keyword.ts';
import { scheduleNew } from '../schedule.ts';
import { addMissing, tooMany } from '../write-keywords.ts';
import { costOf } from './keyword-cost.ts';

type Owner = Pick<Account, 'id'>;

/** Matches each place of a request once. */
export const matchPlaces = async (requests: readonly KeywordRequest[]): Promise<Map<string, PlaceMatch>> => {
  const matches = new Map<string, PlaceMatch>();
  for (const { location_name, iso_code } of requests) {
    const key = placeKey({ location_name, iso_code });
    if (location_name !== '' && !matches.has(key))
      matches.set(key, await matchPlace(location_name, iso_code));
  }
  return matches;
};

export const placeKey = ({
  location_name,
  iso_code,
}: Pick<KeywordRequest, 'location_name' | 'iso_code'>): string => `${iso_code} ${location_name}`;

/** Domains of the project that cannot be tracked on the engine of a keyword. */
const domainErrors = (requests: readonly KeywordRequest[], project: Project): ValidationError[] =>
  requests.flatMap(({ domain, engine }, n) => {
    const { isSite, noun } = sitesOf(engine);
    if (domain || isSite(project.domain)) return [];
    const msg = `Value error, the domain of the project is not ${noun}`;
    return [{ loc: ['body', n, 'domain'], type: 'value_error', msg }];
  });

const maxWarnings = 100;

/** Sentences about fields and places of new keywords that are not known. */
export const warningsOf = (
  requests: readonly KeywordRequest[],
  places: ReadonlyMap<string, PlaceMatch>,
): string[] => {
  const unknownFields = new Set(requests.flatMap(({ unknown_fields = [] }) => unknown_fields));
  const unknownPlaces = requests
    .filter((request) => places.get(placeKey(request))?.places.length === 0)
    .map(({ location_name }) => location_name);
  return [
    ...(unknownFields.size > 0 ? [`Unknown fields are ignored: ${listOfQuotes([...unknownFields])}.`] : []),
    ...[...new Set(unknownPlaces)].map(
      (place) =>
        `location_name ${quote(place)} is not in the table of places. It is sent to the engine unchanged.`,
    ),
  ].slice(0, maxWarnings);
};

const idsShown = 100;

/**
 * Adds keywords to a project, and schedules their crawls. A dry run only says what they would cost. A request
 * whose process dies may be repeated: it adds nothing twice. The keywords that it had written are scheduled
 * in any case.
 * @throws HttpError 404 if the user has no such project, 409 if it would have too many keywords, 422 if its
 * domain cannot be tracked on an engine.
 */
export const addKeywords = async (
  user: Owner,
  projectId: number,
  requests: readonly KeywordRequest[],
  isDryRun: boolean,
  now = calendar(),
): Promise<AddedKeywords> => {
  const project = await findProject(user, projectId);
  const errors = domainErrors(requests, project);
  if (errors.length > 0) throw new HttpError(422, errors.slice(0, maxListedErrors));
  const places = await matchPlaces(requests);
  const wanted = byIdentity(
    requests.map((request) => newKeyword(request, places.get(placeKey(request))?.name ?? '', project, now)),
  );
  const before = (await readPresentChunks(projectId)).flatMap(({ keywords }) => keywords);
  const existing = new Set(before.map(identityOf));
  const missing = [...wanted.values()].filter(({ identity }) => !existing.has(identity));
  const claimed = missing.length === 0 ? 0 : await readClaimed({ ...project, import_id: 0 }, clockOf(now));
  if (before.length + missing.length + claimed > maxProjectKeywords) throw tooMany(claimed);
  const cost = await costOf(
    missing.map(({ keyword }) => keyword),
    before,
  );
  const answer: AddedKeywords = {
    added: missing.length,
    existing: requests.length - missing.length,
    keyword_ids: [],
    ...cost,
    dry_run: isDryRun,
    warnings: warningsOf(requests, places),
  };
  if (isDryRun) return answer;
  // Recorded first: if the process dies after it has written keywords, a scheduled function schedules their
  // crawls.
  const work = await beginWork('add', project, clockOf(now));
  const chunks = await addMissing(project, [...wanted.values()], (some) => newIds(some.length, now));
  const ids = new Map(
    chunks.flatMap(({ keywords }) => keywords.map((each) => [identityOf(each), each.keyword_id] as const)),
  );
  await scheduleNew(project, (keyword) => wanted.has(identityOf(keyword)));
  await endRequest(work);
  return {
    ...answer,
    keyword_ids: missing.slice(0, idsShown).flatMap(({ identity }) => ids.get(identity) ?? []),
  };
};
