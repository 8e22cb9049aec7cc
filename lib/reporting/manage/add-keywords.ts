/**
 * Adds keywords to a project. A keyword that the project has already is left out, so a request may be
 * repeated.
 */

import { engines, sitesOf } from '../../model/engine.ts';
import { HttpError, type ValidationError } from '../../model/http-error.ts';
import { listOfQuotes, quote } from '../../model/quote.ts';
import { maxListedErrors, maxProjectKeywords } from '../../model/request-limits.ts';
import { isTrackable, readSite } from '../../model/site.ts';
import type { AddedKeywords, KeywordRequest } from '../../model/tracked-keyword.ts';
import type { Project, TrackedKeyword, TrackedSearch } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { matchPlace, type PlaceMatch } from '../../place/match.ts';
import { calendar, clockOf } from '../../runtime/calendar.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { type Chunk, chunkKeywords, readPresentChunks, writeChunk } from '../../store/chunks.ts';
import { beginWork, endWork } from '../../store/project-work.ts';
import { putPointers, readProject } from '../../store/projects.ts';
import { firstDueTime } from '../due-time.ts';
import { findProject } from '../find.ts';
import { finishWork, scheduleNew } from '../finish-work.ts';
import { noRank } from '../observe.ts';
import { costOf } from './keyword-cost.ts';
import { newIds } from './new-ids.ts';
import { trackedSearchHash } from './search-hash.ts';

type Owner = Pick<Account, 'id'>;

/** A keyword without an id. `identity`: what no two keywords of a project share. */
type NewKeyword = { identity: string; keyword: Omit<TrackedKeyword, 'keyword_id'> };

/** The same text for the spellings of a site. */
const siteKey = (domain: string): string => {
  if (!isTrackable(domain)) return domain.trim();
  const { host, path } = readSite(domain);
  return host + path;
};

/** A stored hash may be of an earlier version, in which the case of a keyword made a difference. */
const identityOf = (keyword: TrackedSearch & Pick<TrackedKeyword, 'type' | 'domain'>): string =>
  JSON.stringify([trackedSearchHash(keyword), keyword.type, siteKey(keyword.domain)]);

/** Matches each place of a request once. */
const matchPlaces = async (requests: readonly KeywordRequest[]): Promise<Map<string, PlaceMatch>> => {
  const matches = new Map<string, PlaceMatch>();
  for (const { location_name, iso_code } of requests) {
    const key = placeKey({ location_name, iso_code });
    if (location_name !== '' && !matches.has(key))
      matches.set(key, await matchPlace(location_name, iso_code));
  }
  return matches;
};

const placeKey = ({ location_name, iso_code }: Pick<KeywordRequest, 'location_name' | 'iso_code'>): string =>
  `${iso_code} ${location_name}`;

/** Domains of the project that cannot be tracked on the engine of a keyword. */
const domainErrors = (requests: readonly KeywordRequest[], project: Project): ValidationError[] =>
  requests.flatMap(({ domain, engine }, n) => {
    const { isSite, noun } = sitesOf(engine);
    if (domain || isSite(project.domain)) return [];
    const msg = `Value error, the domain of the project is not ${noun}`;
    return [{ loc: ['body', n, 'domain'], type: 'value_error', msg }];
  });

const newKeyword = (
  request: KeywordRequest,
  { domain: ownDomain, check_frequency }: Project,
  places: ReadonlyMap<string, PlaceMatch>,
  now: number,
): NewKeyword => {
  const { keyword, engine, engine_domain, iso_code, language_code, device, type } = request;
  const search: TrackedSearch = {
    engine,
    engine_domain: engine_domain || engines[engine].domain,
    keyword,
    location_name: places.get(placeKey(request))?.name ?? '',
    iso_code,
    language_code,
    device,
  };
  const search_hash = trackedSearchHash(search);
  const domain = request.domain || ownDomain;
  return {
    identity: identityOf({ ...search, type, domain }),
    keyword: {
      ...search,
      type,
      domain,
      google_business: request.google_business,
      update_frequency: request.update_frequency ?? check_frequency,
      paused: false,
      created_at: now,
      search_hash,
      domains: [domain],
      ranks: [noRank],
      days: [],
      features: [],
      cited: null,
      gap: null,
      volumes: null,
      next_at: firstDueTime(search_hash, now),
    },
  };
};

const maxWarnings = 100;

const warningsOf = (
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

/** Puts new keywords into chunks with room, and then into new chunks. */
const placeKeywords = (
  chunks: readonly Chunk[],
  keywords: readonly TrackedKeyword[],
): { chunk: Chunk; added: readonly TrackedKeyword[] }[] => {
  const afterLast = (chunks.at(-1)?.n ?? -1) + 1;
  const placed: { chunk: Chunk; added: readonly TrackedKeyword[] }[] = [];
  let from = 0;
  for (let n = 0; from < keywords.length; n++) {
    const chunk = chunks[n] ?? { n: afterLast + n - chunks.length, revision: 0, keywords: [] };
    const added = keywords.slice(from, from + Math.max(0, chunkKeywords - chunk.keywords.length));
    if (added.length > 0) placed.push({ chunk, added });
    from += added.length;
  }
  return placed;
};

/** Chunks that are written at a time. */
const chunkWidth = 4;

/**
 * Writes keywords that the project does not have. Another request may change a chunk first: then some of them
 * are not written.
 */
const writeNew = async (
  { user_id, project_id }: Project,
  chunks: readonly Chunk[],
  missing: readonly NewKeyword[],
  now: number,
): Promise<void> => {
  const ids = await newIds(missing.length, now);
  const keywords = missing.map(({ keyword }, n) => ({ keyword_id: ids[n] ?? 0, ...keyword }));
  await inParallel(placeKeywords(chunks, keywords), chunkWidth, async ({ chunk, added }) => {
    // First the pointers: one to a keyword that is then not written finds nothing.
    await putPointers(
      user_id,
      added.map(({ keyword_id }) => ({ keyword_id, project_id, chunk: chunk.n })),
    );
    await writeChunk(project_id, { ...chunk, keywords: [...chunk.keywords, ...added] });
  });
};

/** Tries to add keywords while other requests add theirs. */
const addTries = 20;

const tooMany = () =>
  new HttpError(409, `A project has at most ${maxProjectKeywords.toLocaleString('en-US')} keywords`);

/** Adds the keywords that the project does not have. Returns the ids of all keywords by identity. */
const addMissing = async (
  project: Project,
  wanted: readonly NewKeyword[],
  now: number,
): Promise<Map<string, number>> => {
  for (let tries = 0; tries < addTries; tries++) {
    const chunks = await readPresentChunks(project.project_id);
    const present = chunks.flatMap(({ keywords }) => keywords);
    const known = new Map(present.map((each) => [identityOf(each), each.keyword_id]));
    const missing = wanted.filter(({ identity }) => !known.has(identity));
    if (missing.length === 0) return known;
    if (present.length + missing.length > maxProjectKeywords) throw tooMany();
    await writeNew(project, chunks, missing, now);
  }
  throw new HttpError(409, 'The project is being changed at the same time: send the request again');
};

/** Seconds for which the request removes its keywords, if the project was deleted meanwhile. */
const removalSeconds = 10;

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
  const wanted = new Map<string, NewKeyword>();
  for (const request of requests) {
    const keyword = newKeyword(request, project, places, now);
    // Of several spellings, the first one is kept.
    if (!wanted.has(keyword.identity)) wanted.set(keyword.identity, keyword);
  }
  const before = (await readPresentChunks(projectId)).flatMap(({ keywords }) => keywords);
  const existing = new Set(before.map(identityOf));
  const missing = [...wanted.values()].filter(({ identity }) => !existing.has(identity));
  if (before.length + missing.length > maxProjectKeywords) throw tooMany();
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
  const ids = await addMissing(project, [...wanted.values()], now);
  await scheduleNew(project, (keyword) => wanted.has(identityOf(keyword)));
  const isDeleted = !(await readProject(user.id, projectId));
  await (isDeleted ? finishWork(work, timeLimit(removalSeconds)) : endWork(work));
  if (isDeleted) throw new HttpError(404, 'Project not found');
  return {
    ...answer,
    keyword_ids: missing.slice(0, idsShown).flatMap(({ identity }) => ids.get(identity) ?? []),
  };
};
