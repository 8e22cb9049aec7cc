/**
 * One search for a client of another service: the same tasks, turns, reuse and verdicts as for our own
 * routes. The pages that the client asked for are returned, or the reason why there are none.
 */
import * as v from 'valibot';
import { countPages } from '../access/rate.ts';
import { whileWaiting } from '../access/wait-slot.ts';
import { checkPlaces } from '../api/check-places.ts';
import { validationErrorsOf } from '../api/validation-errors.ts';
import { type AnySearch, createSearch } from '../crawl/create.ts';
import { readSearch } from '../crawl/read-task.ts';
import { isSandbox } from '../fetcher/choose.ts';
import { crawlBodies, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { defaultEngine, type EngineName, engines, pageCount } from '../model/engine.ts';
import { HttpError } from '../model/http-error.ts';
import { noSearchHeaders } from '../model/no-search.ts';
import { maxListedErrors } from '../model/request-limits.ts';
import type { RawResult } from '../model/result.ts';
import { noSearchOptions } from '../model/search-options.ts';
import type { Account } from '../model/user.ts';
import type { V2Task } from '../model/v2-task.ts';
import { isFinal } from '../task/status.ts';
import { maxWaitSeconds } from '../task/timing.ts';
import { type Asked, deepest } from './asked.ts';
import { causeOf, type Found, foundIn } from './found.ts';
import { type Names, renamed } from './names.ts';
import { countryFor, isSomewhere, namedPlace } from './place.ts';

/** Who searches, and the base URL of the service. */
export type Caller = { user: Account; baseUrl: string };

/** The number of results from the first page on, on pages of the engine's own size. */
const depthOf = ({ engine, size, from }: Asked): number => {
  const most = engine === defaultEngine ? deepest : engines[engine].resultsPerPage * 10;
  return Math.min(most, from + size);
};

/**
 * The search as its engine takes it. `names`: our fields by the client's names.
 * @throws HttpError 422, and as `refusePlace`.
 */
export const searchFor = async (asked: Asked, names: Names, more = {}): Promise<AnySearch> => {
  const { engine, keyword, language, device, options, isFresh, domain = '' } = asked;
  const place = namedPlace(asked.place);
  if (asked.refusePlace && !(await isSomewhere(place))) asked.refusePlace(asked.place);
  const request = {
    keyword,
    location_name: place,
    iso_code: await countryFor({ country: asked.country, place }),
    language_code: language,
    device,
    engine_domain: domain,
    ...(isFresh && { frequency: 0 }),
    ...more,
  };
  const depth = depthOf(asked);
  const {
    success,
    output,
    issues = [],
  } = engine === defaultEngine
    ? v.safeParse(GoogleCrawlRequest, { ...request, ...options, depth }, { abortPipeEarly: true })
    : v.safeParse(crawlBodies[engine].one, request, { abortPipeEarly: true });
  const errors = [...validationErrorsOf('body', issues), ...(await checkPlaces(request))];
  if (!success || errors.length > 0) {
    throw new HttpError(422, renamed(errors, names).slice(0, maxListedErrors));
  }
  return { ...noSearchOptions, ...output, engine, depth };
};

const isEmptyResult = ({ left, right }: RawResult): boolean => left.length + right.length === 0;

const verdictOf = (task: V2Task): string => {
  if (task.status !== 'success') return isFinal(task.status) ? causeOf(task) : 'pending';
  return task.pages.every(({ results }) => !results || isEmptyResult(results)) ? 'empty' : 'results';
};

/** A search, and its task or the error for which there is none. */
type Origin = { engine: EngineName; task?: V2Task | undefined; error?: HttpError | undefined };

/** When the oldest page of a search was fetched, in milliseconds: of an error, as its headers say. */
const fetchedAt = ({ task, error }: Origin): number =>
  task ? task.crawled_at * 1000 : Date.parse(error?.headers['x-search-crawled-at'] ?? '');

/** Headers that say how searches ended, and where their pages come from: of several, in their order. */
export const originHeaders = (origins: readonly Origin[]): Record<string, string> => {
  const tasks = origins.flatMap(({ task }) => task ?? []);
  const times = origins.map(fetchedAt).filter((time) => time > 0);
  return {
    'x-search-verdict': origins
      .map(({ task, error }) => (task ? verdictOf(task) : error && causeOfError(error)))
      .join(', '),
    'x-search-reused': String(tasks.some(({ reused }) => reused)),
    // The oldest page says the least of today.
    'x-search-crawled-at':
      times.length > 0 ? new Date(Math.min(...times)).toISOString() : noSearchHeaders['x-search-crawled-at'],
    'x-search-source': origins.some(({ engine }) => isSandbox(engine)) ? 'sandbox' : 'live',
  };
};

/** The same of one search. */
export const verdictHeaders = (task: V2Task, engine: EngineName) => originHeaders([{ engine, task }]);

/** The same of one search that did not end while its request waited. */
export const lateHeaders = (task: V2Task, engine: EngineName) => ({
  ...verdictHeaders(task, engine),
  'x-search-verdict': 'timeout',
});

/** The cause that an error of a search has in its headers, or its own word. */
export const causeOfError = ({ headers, statusCode }: HttpError): string =>
  headers['x-search-verdict'] ?? (statusCode === 503 ? 'throttled' : 'error');

/**
 * For searches that clients ask for with GET.
 * @throws HttpError 403 if the user may only read.
 */
export const requireSearcher = ({ read_only }: Account): void => {
  if (read_only) throw new HttpError(403, 'This user may only read');
};

const createAndRead = async (search: AnySearch, { user, baseUrl }: Caller, wait: number) => {
  requireSearcher(user);
  return readSearch(user, (await createSearch(user, search, baseUrl)).id, wait);
};

/** Accepts a search, and returns its task as it is. Throws as `searchFor`. */
export const queueSearch = async (asked: Asked, names: Names, caller: Caller) =>
  createAndRead(await searchFor(asked, names), caller, 0);

/**
 * Accepts a search and waits for its end. Returns the task, which may not be final.
 * @throws HttpError 422 for a wrong field, 429 and 503 as `whileWaiting`.
 */
export const runSearch = async (asked: Asked, names: Names, caller: Caller) => {
  const search = await searchFor(asked, names);
  return whileWaiting(caller.user, () => createAndRead(search, caller, maxWaitSeconds));
};

/** @throws HttpError 502 and 504 without a result. */
const resultOf = (task: Awaited<ReturnType<typeof runSearch>>, asked: Asked): Found => {
  if (isFinal(task.status)) return foundIn(task, asked, verdictHeaders(task, task.engine));
  const sentence = `timeout: the search ${task.id} did not end within ${maxWaitSeconds} seconds`;
  throw new HttpError(504, sentence, lateHeaders(task, task.engine));
};

/** What the work returns, or its error. */
const orError = async <Value>(work: () => Promise<Value>): Promise<Value | HttpError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
};

/**
 * Runs searches at once, and returns for each what was found, or its error. All of them are one request that
 * waits.
 * @throws HttpError 422 for a wrong field, before any search is made; 403 if the user may only read; 429 if
 * the user has asked for too many pages in this minute; 429 and 503 as `whileWaiting`.
 */
export const findAll = async (
  asked: readonly Asked[],
  names: Names,
  caller: Caller,
): Promise<(Found | HttpError)[]> => {
  requireSearcher(caller.user);
  const searches = await Promise.all(
    asked.map(async (each) => ({ each, search: await searchFor(each, names) })),
  );
  // As for a batch of our own.
  if (searches.length > 1) {
    await countPages(
      caller.user,
      searches.reduce((sum, { search }) => sum + pageCount(search.engine, search.depth), 0),
    );
  }
  const find = ({ each, search }: (typeof searches)[number]): Promise<Found | HttpError> =>
    orError(async () => resultOf(await createAndRead(search, caller, maxWaitSeconds), each));
  return whileWaiting(caller.user, () => Promise.all(searches.map(find)));
};

/**
 * As `findAll`, for one search on several engines: what one of them does not take, such as a language, is the
 * error of that engine. The order of the results is that of the searches.
 * @throws HttpError as `findAll`; 422 only if no engine takes the search.
 */
export const findOnEngines = async (
  asked: readonly Asked[],
  names: Names,
  caller: Caller,
): Promise<(Found | HttpError)[]> => {
  const checked = await Promise.all(asked.map((each) => orError(() => searchFor(each, names))));
  const isTaken = (n: number): boolean => !(checked[n] instanceof HttpError);
  const taken = asked.filter((_, n) => isTaken(n));
  const found = await findAll(taken.length > 0 ? taken : asked, names, caller);
  return checked.flatMap((each) => (each instanceof HttpError ? each : (found.shift() ?? [])));
};
