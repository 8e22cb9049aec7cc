/** Searches in the form of Serper: one query, or a list of them, as JSON or as a query string. */
import { authenticate } from '../../access/authenticate.ts';
import { type Dialect, sentenceOf } from '../../api/dialect.ts';
import { headerOf, queryOf } from '../../api/request.ts';
import type { RawResponse } from '../../api/route.ts';
import { defaultEngine } from '../../model/engine.ts';
import { HttpError } from '../../model/http-error.ts';
import { maxTaskBytes, payloadBytes } from '../../model/request-limits.ts';
import { type Asked, deepest } from '../asked.ts';
import { bodyOf, parametersIn } from '../body.ts';
import { type Found, unreadIn } from '../found.ts';
import { warningsIn } from '../names.ts';
import { present } from '../present.ts';
import { flagIn, numberIn, type Parameters, refuse, textIn, warningsAbout } from '../read.ts';
import { type Caller, findAll, originHeaders } from '../search.ts';
import { answerOf, isKind, type Kind } from './answer.ts';
import { completeAll } from './autocomplete.ts';

const json = (statusCode: number, value: unknown, headers: Record<string, string> = {}): RawResponse => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** Serper answers 403 without a key, and 400 to what it does not understand. */
const statuses: Record<number, number> = { 401: 403, 422: 400 };

const failureBody = (status: number, message: string) => ({ message, statusCode: status });

export const serperDialect: Dialect = {
  accountOf: (event, address) => {
    const { apiKey = '', api_key = '' } = queryOf(event);
    return authenticate(`Bearer ${headerOf(event, 'x-api-key') || apiKey || api_key}`, address);
  },
  failure: (status, sentence) => {
    const own = statuses[status] ?? status;
    return json(own, failureBody(own, status === 401 ? 'Unauthorized.' : sentence));
  },
};

/** The names that Serper has for our fields. */
const names = { keyword: 'q', iso_code: 'gl', language_code: 'hl', location_name: 'location', depth: 'num' };

const keys = ['apiKey', 'api_key'];
const known = ['q', 'gl', 'hl', 'num', 'page', 'location', 'tbs', 'autocorrect', 'type', 'engine', ...keys];

/** The parameters that have an effect on completions. */
const completed = ['q', 'gl', 'hl', 'type', 'engine', ...keys];

/** As many queries as Serper takes at once. */
const maxQueries = 100;

const askedIn = (parameters: Parameters): Asked => {
  const keyword = textIn(parameters, 'q');
  if (keyword === '') refuse('Missing query parameter');
  const size = numberIn(parameters, 'num', { least: 1, most: deepest, otherwise: 10 });
  const page = numberIn(parameters, 'page', { least: 1, most: deepest, otherwise: 1 });
  if (size * page > deepest) refuse(`page: only the first ${deepest} results can be read`);
  const tbs = textIn(parameters, 'tbs');
  return {
    engine: 'google',
    keyword,
    country: textIn(parameters, 'gl'),
    place: textIn(parameters, 'location'),
    language: textIn(parameters, 'hl'),
    device: 'desktop',
    size,
    from: (page - 1) * size,
    options: {
      ...(tbs !== '' && { tbs }),
      // A search for exactly these words.
      ...(textIn(parameters, 'autocorrect') !== '' && !flagIn(parameters, 'autocorrect') && { nfpr: 1 }),
    },
    isFresh: false,
  };
};

/** The known parameters that were given, as they are echoed. */
const withoutKeys = (parameters: Parameters) =>
  present(
    Object.fromEntries(
      Object.entries(parameters).filter(([name]) => known.includes(name) && !keys.includes(name)),
    ),
  );

const shown = (parameters: Parameters, asked: Asked, kind: Kind) => ({
  ...withoutKeys(parameters),
  q: asked.keyword,
  num: asked.size,
  page: asked.from / asked.size + 1,
  type: kind,
  engine: 'google',
});

const partSentence = (kind: Kind): string[] =>
  kind === 'search' ? [] : [`The list has what the page of web results shows as ${kind}.`];

/** The answer to one query of several: a query without a result has its error, and hides no other. */
const oneAnswer = (kind: Kind, parameters: Parameters, asked: Asked, found: Found | HttpError): object =>
  found instanceof HttpError
    ? {
        searchParameters: shown(parameters, asked, kind),
        ...failureBody(found.statusCode, sentenceOf(found)),
      }
    : answerOf(kind, found, shown(parameters, asked, kind));

const tooLarge = 'This answer and those before it would pass 6 MB: send the query again, with fewer others';

/** The answers as far as they fit in a response. Each further one has an error in the place of its lists. */
export const fitting = (answers: readonly object[], most = maxTaskBytes): object[] => {
  let bytes = 0;
  return answers.map((answer) => {
    const own = payloadBytes(answer);
    if (bytes + own > most && 'searchParameters' in answer) {
      const { searchParameters } = answer;
      const short = { searchParameters, ...failureBody(413, tooLarge) };
      bytes += payloadBytes(short);
      return short;
    }
    bytes += own;
    return answer;
  });
};

/** The path says what is searched: `type` and `engine` are those that answers repeat. */
const unmeant = (queries: readonly Parameters[], kind: string): string[] =>
  Object.entries({ type: kind, engine: 'google' })
    .filter(([name, only]) => queries.some((each) => !['', only].includes(textIn(each, name))))
    .map(([name, only]) => `${name} has no effect: it is ${only} here.`);

/** @throws HttpError as `completeAll`, and of the first query if none has completions. */
const autocomplete = async (queries: Parameters[], isList: boolean, caller: Caller): Promise<RawResponse> => {
  const { results, headers } = await completeAll(queries, caller);
  const [first] = results;
  if (first instanceof HttpError && results.every((each) => each instanceof HttpError)) throw first;
  const answers = results.map((each, n) => {
    const searchParameters = {
      ...withoutKeys(queries[n] ?? {}),
      type: 'autocomplete',
      engine: 'google',
    };
    return each instanceof HttpError
      ? { searchParameters, ...failureBody(each.statusCode, sentenceOf(each)) }
      : { searchParameters, suggestions: each.map((value) => ({ value })), credits: 1 };
  });
  return json(200, isList ? answers : answers[0], {
    ...headers,
    ...warningsAbout(Object.assign({}, ...queries), completed, unmeant(queries, 'autocomplete')),
  });
};

/**
 * Answers a search of a kind.
 * @throws HttpError 400 and 404 for what cannot be asked, and as `findAll`.
 */
export const askSerper = async (
  kind: string,
  body: unknown,
  query: Parameters,
  caller: Caller,
): Promise<RawResponse> => {
  const queries = parametersIn(body, query, maxQueries);
  const isList = Array.isArray(bodyOf(body));
  if (kind === 'autocomplete') return autocomplete(queries, isList, caller);
  if (!isKind(kind)) throw new HttpError(404, 'Not Found');
  const asked = queries.map(askedIn);
  const results = await findAll(asked, names, caller);
  const [first] = results;
  if (!first) throw new Error('A query has no result');
  if (results.every((each) => each instanceof HttpError)) throw first;
  const answers = queries.map((each, n) => {
    const [one, found] = [asked[n], results[n]];
    if (!one || !found) throw new Error('A query has no result');
    return oneAnswer(kind, each, one, found);
  });
  const origins = results.map((each) =>
    each instanceof HttpError
      ? { engine: defaultEngine, error: each }
      : { engine: each.engine, task: each.task },
  );
  const unread = results.flatMap((each, n) => {
    const one = asked[n];
    return each instanceof HttpError || !one ? [] : unreadIn(each.task, one);
  });
  const ofTasks = results.flatMap((each) => (each instanceof HttpError ? [] : warningsIn(each.task, names)));
  const warnings = new Set([...unmeant(queries, kind), ...ofTasks, ...unread]);
  return json(200, isList ? fitting(answers) : answers[0], {
    ...originHeaders(origins),
    ...warningsAbout(Object.assign({}, ...queries), known, [...partSentence(kind), ...warnings]),
  });
};
