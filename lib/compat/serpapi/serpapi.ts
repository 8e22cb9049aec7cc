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
import { searchPlaces } from '../../place/search.ts';
import { isFinal } from '../../task/status.ts';
import { flagIn, numberIn, type Parameters, refuse, textIn, warningsAbout } from '../read.ts';
import { type Asked, type Caller, foundIn, queueSearch, runSearch, verdictHeaders } from '../search.ts';
import { answerOf, metadataOf, parametersOf } from './answer.ts';
import { askedIn, engineIn, knownOf, namesOf, withoutEffect } from './request.ts';

const json = (statusCode: number, value: unknown, headers = {}): RawResponse => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

const noKey = 'Invalid API key. Your API key is the one of this service.';

export const serpapiDialect: Dialect = {
  accountOf: (event, address) => {
    const { api_key = '' } = queryOf(event);
    return authenticate(api_key ? `Bearer ${api_key}` : (headerOf(event, 'authorization') ?? ''), address);
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
  };
};

const addressOf = ({ baseUrl }: Caller): string => `${baseUrl}/compat/serpapi`;

type Task = V2Task & { engine: EngineName };

/** The answer to a task in any state. A search that failed has its error, and no list of results. */
const answerTo = (task: Task, asked: Asked, caller: Caller, headers: object): RawResponse => {
  const address = addressOf(caller);
  const more = { ...verdictHeaders(task, task.engine), ...headers };
  const about = {
    search_metadata: metadataOf(task, task.engine, address),
    search_parameters: parametersOf(task, task.engine),
  };
  if (!isFinal(task.status)) return json(200, about, more);
  try {
    return json(200, answerOf(foundIn(task, asked), asked, address), more);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return json(error.statusCode, { ...about, error: String(error.detail) }, more);
  }
};

/** The first page of a task, as it was stored. */
const storedPage = async ({ user }: Caller, id: number): Promise<RawResponse> => ({
  statusCode: 200,
  // As text: the page of an engine must not run on the address of the service.
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: (await readStoredPage(user, id, 1)).html,
});

const search = async (parameters: Parameters, caller: Caller): Promise<RawResponse> => {
  const engine = engineIn(parameters);
  const asked = askedIn(parameters, engine);
  const names = clientNames(engine);
  const isAsync = flagIn(parameters, 'async');
  const task = isAsync ? await queueSearch(asked, names, caller) : await runSearch(asked, names, caller);
  if (!isAsync && !isFinal(task.status)) {
    throw new HttpError(
      504,
      `The search ${task.id} did not end in time. Read it at ${addressOf(caller)}/searches/${task.id}.json`,
      verdictHeaders(task, engine),
    );
  }
  if (textIn(parameters, 'output') === 'html' && task.status === 'success')
    return storedPage(caller, task.id);
  const warnings = [...withoutEffect(parameters), ...task.warnings];
  return answerTo(task, asked, caller, warningsAbout(parameters, knownOf(engine), warnings));
};

const accountOf = async (user: Account): Promise<RawResponse> => {
  const usage = await readUsage(user);
  return json(200, {
    account_id: String(user.id),
    account_email: user.email,
    account_rate_limit_per_hour: user.rate_limit * 60,
    // Of the last 24 hours: tasks are kept for a day.
    this_day_searches: usage.total.searches,
  });
};

const locations = async (parameters: Parameters): Promise<RawResponse> => {
  const limit = numberIn(parameters, 'limit', { least: 1, most: 20, otherwise: 10 });
  const { items } = await searchPlaces({ q: textIn(parameters, 'q') });
  return json(
    200,
    items.slice(0, limit).map(({ name, iso_code }) => ({
      name: name.split(',')[0],
      canonical_name: name,
      country_code: iso_code,
    })),
  );
};

/**
 * Answers a page of SerpApi.
 * @throws HttpError 400 and 404 for what cannot be asked, and as `runSearch`.
 */
export const askSerpapi = (page: string, parameters: Parameters, caller: Caller): Promise<RawResponse> => {
  const [name, ending = 'json'] = page.split('.');
  if (name === 'search' && ending === 'html') return search({ ...parameters, output: 'html' }, caller);
  if (ending !== 'json') throw new HttpError(404, 'Not Found');
  if (name === 'search') return search(parameters, caller);
  if (name === 'account') return accountOf(caller.user);
  if (name === 'locations') return locations(parameters);
  throw new HttpError(404, 'Not Found');
};

/**
 * Answers `/searches/{id}.json` and `/searches/{id}.html`: a search of the last day.
 * @throws HttpError 400 for an id that is not one, 404 for an unknown one.
 */
export const readSerpapi = async (file: string, caller: Caller): Promise<RawResponse> => {
  const [, digits, ending = 'json'] = /^(\d{1,16})(?:\.(json|html))?$/.exec(file) ?? [];
  if (!Number.isSafeInteger(Number(digits)))
    return refuse(`Invalid search id: ${JSON.stringify(file.slice(0, 40))}`);
  const task = await readSearch(caller.user, Number(digits));
  if (ending === 'html') return storedPage(caller, task.id);
  const size = task.engine === 'google' ? task.depth : engines[task.engine].resultsPerPage;
  const asked = { engine: task.engine, size, from: 0 } as Asked;
  return answerTo(task, asked, caller, {});
};
