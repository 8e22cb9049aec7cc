/** Searches in the form of SearXNG: several engines at once, merged. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { authenticate } from '../../access/authenticate.ts';
import { findBySearchKey } from '../../access/search-link.ts';
import { type Dialect, sentenceOf } from '../../api/dialect.ts';
import { headerOf, paramsOf } from '../../api/request.ts';
import type { RawResponse } from '../../api/route.ts';
import { defaultEngine, type EngineName, engines } from '../../model/engine.ts';
import { HttpError } from '../../model/http-error.ts';
import { version } from '../../model/version.ts';
import type { Asked } from '../asked.ts';
import { parametersIn } from '../body.ts';
import { warningsIn } from '../names.ts';
import { numberIn, type Parameters, refuse, textIn, warningsAbout } from '../read.ts';
import { type Caller, causeOfError, findOnEngines, originHeaders } from '../search.ts';
import { configOf, csvOf, engineCalled, jsonOf, type Part, rssOf, unresponsive } from './answer.ts';

const pages = ['search', 'config', 'healthz'] as const;
type Page = (typeof pages)[number];

const isPage = (name: string): name is Page => (pages as readonly string[]).includes(name);

/** Without a key in its path, a request has the page in the place of the key, and a header with a key. */
const hasKeyInPath = (event: APIGatewayProxyEvent): boolean => !isPage(paramsOf(event).key ?? '');

const answer = (statusCode: number, type: string, body: string, headers = {}): RawResponse => ({
  statusCode,
  headers: { 'Content-Type': type, ...headers },
  body,
});

const json = (statusCode: number, value: unknown, headers = {}): RawResponse =>
  answer(statusCode, 'application/json', JSON.stringify(value), headers);

export const searxngDialect: Dialect = {
  accountOf: (event, address) =>
    hasKeyInPath(event)
      ? findBySearchKey(paramsOf(event).key ?? '', address)
      : authenticate(headerOf(event, 'authorization') ?? '', address),
  failure: (status, sentence) => json(status === 422 ? 400 : status, { error: sentence }),
};

const names = { keyword: 'q', language_code: 'language', iso_code: 'language', tbs: 'time_range' };

const known = ['q', 'format', 'engines', 'categories', 'language', 'pageno', 'time_range', 'safesearch'];

/** Pages of ten results up to the hundredth. */
const maxPage = 10;

const categories: Record<string, readonly EngineName[]> = {
  general: ['google', 'bing'],
  videos: ['youtube'],
};

const wordsIn = (parameters: Parameters, name: string): string[] =>
  textIn(parameters, name)
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** The engines of a request: those it names, or those of its categories. */
const enginesIn = (parameters: Parameters): { asked: EngineName[]; unknown: string[] } => {
  const named = wordsIn(parameters, 'engines');
  const found = named.flatMap((name) => engineCalled(name) ?? []);
  if (found.length > 0) {
    return { asked: [...new Set(found)], unknown: named.filter((name) => !engineCalled(name)) };
  }
  const wanted = wordsIn(parameters, 'categories').filter((name) => Object.hasOwn(categories, name));
  const asked = (wanted.length > 0 ? wanted : ['general']).flatMap((name) => categories[name] ?? []);
  return { asked, unknown: named };
};

/**
 * A query without the words that choose engines, categories and a language: `!go`, `!videos`, `:de`. Words
 * with these marks that mean none of ours are a part of the query.
 */
const withoutMarks = (parameters: Parameters): Parameters => {
  const chosen: { engines: string[]; categories: string[]; language: string[] } = {
    engines: [],
    categories: [],
    language: [],
  };
  const isMark = (word: string): boolean => {
    const [, mark = '', name = ''] = /^([!:])([\w-]{2,20})$/.exec(word.toLowerCase()) ?? [];
    if (mark === '!' && engineCalled(name)) return chosen.engines.push(name) > 0;
    if (mark === '!' && Object.hasOwn(categories, name)) return chosen.categories.push(name) > 0;
    return mark === ':' && /^(?:all|[a-z]{2}(?:[-_][a-z]{2})?)$/.test(name) && chosen.language.push(name) > 0;
  };
  const words = textIn(parameters, 'q').split(' ');
  const kept = words.filter((word) => !isMark(word));
  const hasEngines = chosen.engines.length + chosen.categories.length > 0;
  return {
    ...parameters,
    q: kept.join(' '),
    ...(hasEngines && { engines: chosen.engines.join(','), categories: chosen.categories.join(',') }),
    ...(chosen.language.length > 0 && { language: chosen.language[0] }),
  };
};

/** The language and the country of a code such as `de`, `pt-BR` or `all`. */
const localeOf = (code: string): { language: string; country: string } => {
  if (code === '' || code === 'all' || code === 'auto') return { language: '', country: '' };
  try {
    const { language, region } = new Intl.Locale(code.replace('_', '-')).maximize();
    return { language, country: region && /^[A-Z]{2}$/.test(region) ? region : '' };
  } catch {
    return refuse('language must be a code such as de or pt-BR');
  }
};

const ranges = new Map(Object.entries({ day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' }));

/** The search of each engine. Only the default engine takes a range of time and a level of safety. */
const searchesIn = (parameters: Parameters, asked: readonly EngineName[]): Asked[] => {
  const keyword = textIn(parameters, 'q');
  if (keyword === '') refuse('No query');
  const range = textIn(parameters, 'time_range');
  const safety = textIn(parameters, 'safesearch');
  if (range !== '' && !ranges.has(range)) refuse('time_range must be day, week, month or year');
  if (!/^[012]?$/.test(safety)) refuse('safesearch must be 0, 1 or 2');
  const page = numberIn(parameters, 'pageno', { least: 1, most: maxPage, otherwise: 1 });
  return asked.map((engine) => ({
    engine,
    keyword,
    ...localeOf(textIn(parameters, 'language')),
    place: '',
    device: 'desktop',
    size: engines[engine].resultsPerPage,
    from: (page - 1) * engines[engine].resultsPerPage,
    options:
      engine === defaultEngine
        ? {
            ...(range !== '' && { tbs: ranges.get(range) }),
            ...(safety !== '' && { safe: safety === '0' ? ('off' as const) : ('active' as const) }),
          }
        : {},
    isFresh: false,
  }));
};

/** What other engines than the default one do not do. */
const withoutEffect = (parameters: Parameters, asked: readonly EngineName[]): string[] => {
  const others = asked.filter((engine) => engine !== defaultEngine).map((engine) => engines[engine].title);
  const given = ['time_range', 'safesearch'].filter((name) => textIn(parameters, name) !== '');
  return others.length > 0 && given.length > 0
    ? [`Without effect on ${others.join(' and ')}: ${given.join(' and ')}.`]
    : [];
};

const unknownCategories = (parameters: Parameters): string[] =>
  wordsIn(parameters, 'categories')
    .filter((name) => !Object.hasOwn(categories, name))
    .map((name) => `The category ${JSON.stringify(name)} is not known.`);

type Format = (query: string, parts: readonly Part[], headers: object) => RawResponse;

const formats = new Map<string, Format>(
  Object.entries({
    json: (query, parts, headers) => json(200, jsonOf(query, parts), headers),
    csv: (_, parts, headers) => answer(200, 'text/csv; charset=utf-8', csvOf(parts), headers),
    rss: (query, parts, headers) =>
      answer(200, 'application/rss+xml; charset=utf-8', rssOf(query, parts), headers),
  }),
);

const search = async (given: Parameters, caller: Caller): Promise<RawResponse> => {
  const format = formats.get(textIn(given, 'format') || 'json');
  if (!format) return refuse('format must be json, csv or rss');
  const parameters = withoutMarks(given);
  const { asked, unknown } = enginesIn(parameters);
  const searches = searchesIn(parameters, asked);
  const results = await findOnEngines(searches, names, caller);
  const parts = asked.map((engine, n): Part => {
    const result = results[n];
    if (result instanceof HttpError) return { engine, error: result, cause: causeOfError(result) };
    return { engine, ...(result && { found: result }) };
  });
  const query = textIn(parameters, 'q');
  const warnings = parts.flatMap(({ found }) => (found ? warningsIn(found.task, names) : []));
  const headers = {
    ...originHeaders(parts.map(({ engine, found, error }) => ({ engine, task: found?.task, error }))),
    ...warningsAbout(given, known, [
      ...unknown.map((name) => `The engine ${JSON.stringify(name)} is not known.`),
      ...unknownCategories(parameters),
      ...withoutEffect(parameters, asked),
      ...parts.flatMap(({ error }) => (error?.statusCode === 422 ? sentenceOf(error) : [])),
      ...new Set(warnings),
    ]),
  };
  // An empty list would say that there are no results, so there is none if no engine answered.
  return parts.every(({ found }) => !found)
    ? json(502, { query, unresponsive_engines: unresponsive(parts), error: 'No engine answered' }, headers)
    : format(query, parts, headers);
};

/**
 * Answers a page of SearXNG.
 * @throws HttpError 400 and 404 for what cannot be asked, and as `findAll`.
 */
export const askSearxng = (
  page: string,
  { query, body }: { query: Parameters; body?: unknown },
  caller: Caller,
): Promise<RawResponse> | RawResponse => {
  if (page === 'healthz') return answer(200, 'text/plain; charset=utf-8', 'OK');
  if (page === 'config') return json(200, configOf(version));
  if (page !== 'search') throw new HttpError(404, 'Not Found');
  const [parameters = query] = parametersIn(body, query, 1);
  return search(parameters, caller);
};

/** The page of a path with one part: the part itself, or the search if it is a key. */
export const pageOf = (key: string): string => (isPage(key) ? key : 'search');
