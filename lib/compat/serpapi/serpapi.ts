/** Searches in the form of SerpApi. */
import { authenticate } from '../../access/authenticate.ts';
import type { Dialect } from '../../api/dialect.ts';
import { headerOf, queryOf } from '../../api/request.ts';
import type { RawResponse } from '../../api/route.ts';
import { readStoredPage } from '../../crawl/read-html.ts';
import { readSearch } from '../../crawl/read-task.ts';
import { readUsage } from '../../crawl/read-usage.ts';
import { type EngineName, engines } from '../../model/engine.ts';
import { HttpError } from '../../model/http-error.ts';
import type { Account } from '../../model/user.ts';
import type { V2Task } from '../../model/v2-task.ts';
import { maxPlaces, searchPlaces } from '../../place/search.ts';
import { isFinal } from '../../task/status.ts';
import { foundIn, unreadIn, type Window } from '../found.ts';
import { warningsIn } from '../names.ts';
import { placeUsed } from '../place.ts';
import { flagIn, numberIn, type Parameters, refuse, textIn, warningsAbout } from '../read.ts';
import { type Caller, lateHeaders, queueSearch, runSearch, verdictHeaders } from '../search.ts';
import { answerOf, metadataOf, pageNumber, parametersOf } from './answer.ts';
import { askedIn, engineIn, isHtmlIn, knownOf, knownOfReading, namesOf, withoutEffect } from './request.ts';
import { parseSearchId, searchIdOf } from './search-id.ts';

const json = (statusCode: number, value: unknown, headers: Record<string, string> = {}): RawResponse => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

const noKey = 'Invalid API key. Your API key is the one of this service.';

export const serpapiDialect: Dialect = {
  accountOf: (event, address) => {
    const { api_key = '', serp_api_key = '' } = queryOf(event);
    const key = api_key || serp_api_key;
    return authenticate(key ? `Bearer ${key}` : (headerOf(event, 'authorization') ?? ''), address);
  },
  failure: (status, sentence) =>
    json(status === 422 ? 400 : status, { error: status === 401 ? noKey : sentence }),
};

const clientNames = (engine: EngineName) => {
  const { query, country, language, size } = namesOf[engine];
  return {
    keyword: query,
    iso_code: country,
    language_code: language,
    location_name: 'location',
    depth: size,
    engine_domain: `${engine}_domain`,
  };
};

const addressOf = ({ baseUrl }: Caller): string => `${baseUrl}/compat/serpapi`;

type Task = V2Task & { engine: EngineName };

/** The answer to a task in any state. A search that failed has its error, and no list of results. */
const answerTo = async (
  task: Task,
  asked: Window,
  caller: Caller,
  headers: Record<string, string>,
): Promise<RawResponse> => {
  const address = addressOf(caller);
  const more = { ...verdictHeaders(task, task.engine), ...headers };
  const place = await placeUsed(task.engine, task);
  const about = {
    search_metadata: metadataOf(task, asked, address),
    search_parameters: parametersOf(task, asked, place),
  };
  if (!isFinal(task.status)) return json(200, about, more);
  try {
    return json(200, answerOf(foundIn(task, asked), asked, address, place), more);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The search can have results on other pages than those that were asked for.
    const search_metadata = { ...about.search_metadata, status: 'Error' };
    const body = { ...about, search_metadata, error: String(error.detail) };
    return json(error.statusCode, body, { ...more, ...error.headers });
  }
};

/** The first page that was asked for, as it was stored. */
const storedPage = async (
  task: Task,
  asked: Window,
  { user }: Caller,
  headers: Record<string, string>,
): Promise<RawResponse> => ({
  statusCode: 200,
  headers: {
    ...verdictHeaders(task, task.engine),
    ...headers,
    // As text: the page of an engine must not run on the address of the service.
    'Content-Type': 'text/plain; charset=utf-8',
  },
  body: (await readStoredPage(user, task.id, pageNumber(asked))).html,
});

const search = async (parameters: Parameters, caller: Caller): Promise<RawResponse> => {
  const engine = engineIn(parameters);
  const asked = askedIn(parameters, engine);
  const names = clientNames(engine);
  const [isAsync, isHtml] = [flagIn(parameters, 'async'), isHtmlIn(parameters)];
  const task = isAsync ? await queueSearch(asked, names, caller) : await runSearch(asked, names, caller);
  if (!isAsync && !isFinal(task.status)) {
    throw new HttpError(
      504,
      `The search did not end in time. Read it at ${addressOf(caller)}/searches/${searchIdOf(task.id, asked)}.json`,
      lateHeaders(task, engine),
    );
  }
  const warnings = [...withoutEffect(parameters), ...warningsIn(task, names), ...unreadIn(task, asked)];
  const headers = warningsAbout(parameters, knownOf(engine), warnings);
  return isHtml && task.status === 'success'
    ? storedPage(task, asked, caller, headers)
    : answerTo(task, asked, caller, headers);
};

const accountOf = async (parameters: Parameters, user: Account): Promise<RawResponse> => {
  const usage = await readUsage(user);
  return json(
    200,
    {
      account_id: String(user.id),
      account_email: user.email,
      // Without a limit, there is no number.
      ...(user.rate_limit > 0 && { account_rate_limit_per_hour: user.rate_limit * 60 }),
      // Of the last 24 hours: tasks are kept for a day.
      this_day_searches: usage.total.searches,
    },
    warningsAbout(parameters, knownOfReading),
  );
};

/** The places that can be meant, largest first. @throws HttpError 400. */
export const listSerpapiLocations = async (parameters: Parameters): Promise<RawResponse> => {
  const limit = numberIn(parameters, 'limit', { least: 1, most: 1e6, otherwise: 10 });
  const { items } = await searchPlaces({ q: textIn(parameters, 'q') });
  return json(
    200,
    items.slice(0, limit).map(({ name, iso_code }) => ({
      name: name.split(',')[0],
      canonical_name: name,
      country_code: iso_code,
    })),
    warningsAbout(
      parameters,
      [...knownOfReading, 'q', 'limit'],
      limit > maxPlaces ? [`The list has the first ${maxPlaces} places at most.`] : [],
    ),
  );
};

/**
 * Answers a page of SerpApi.
 * @throws HttpError 400 and 404 for what cannot be asked, and as `runSearch`.
 */
export const askSerpapi = (page: string, parameters: Parameters, caller: Caller): Promise<RawResponse> => {
  const [, name = '', ending = 'json'] = /^([^.]*)(?:\.(json|html))?$/.exec(page) ?? [];
  if (name === 'search' && ending === 'html') return search({ ...parameters, output: 'html' }, caller);
  if (ending !== 'json') throw new HttpError(404, 'Not Found');
  if (name === 'search') return search(parameters, caller);
  if (name === 'account') return accountOf(parameters, caller.user);
  if (name === 'locations') return listSerpapiLocations(parameters);
  throw new HttpError(404, 'Not Found');
};

/** All results of the task, if the id does not say which were asked for. */
const wholeOf = ({ engine, depth }: Task): Omit<Window, 'engine'> => ({
  size: engine === 'google' ? depth : engines[engine].resultsPerPage,
  from: 0,
});

/**
 * Answers `/searches/{id}`, `/searches/{id}.json` and `/searches/{id}.html`: a search of the last day.
 * Without an ending, `output` of the query says the form.
 * @throws HttpError 400 for an id that is not one, 404 for an unknown one.
 */
export const readSerpapi = async (
  file: string,
  parameters: Parameters,
  caller: Caller,
): Promise<RawResponse> => {
  const [, name = '', ending = ''] = /^([^.]*)(?:\.(json|html))?$/.exec(file) ?? [];
  const id = parseSearchId(name) ?? refuse(`Invalid search id: ${JSON.stringify(file.slice(0, 40))}`);
  const isHtml = ending ? ending === 'html' : isHtmlIn(parameters);
  const task = await readSearch(caller.user, id.task);
  const asked = { engine: task.engine, ...(id.window ?? wholeOf(task)) };
  const headers = warningsAbout(parameters, knownOfReading, unreadIn(task, asked));
  return isHtml ? storedPage(task, asked, caller, headers) : answerTo(task, asked, caller, headers);
};
