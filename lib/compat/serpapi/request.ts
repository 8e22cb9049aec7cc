/** The search that a request in the form of SerpApi asks for. Pure, but for the errors. */
import { type EngineName, engineNames, engines } from '../../model/engine.ts';
import { flagIn, numberIn, type Parameters, refuse, textIn } from '../read.ts';
import { type Asked, deepest } from '../search.ts';

type Names = {
  query: string;
  country: string;
  language: string;
  /** The parameter for the first result, and the number that it has on the first page. */
  first: string;
  base: number;
  size: string;
  others: readonly string[];
};

const google: Names = {
  query: 'q',
  country: 'gl',
  language: 'hl',
  first: 'start',
  base: 0,
  size: 'num',
  others: ['google_domain', 'tbs', 'safe', 'nfpr', 'filter', 'lr', 'cr'],
};

/** The names of each engine. */
export const namesOf: Record<EngineName, Names> = {
  google,
  bing: {
    ...google,
    country: 'cc',
    language: 'setlang',
    first: 'first',
    base: 1,
    size: 'count',
    others: ['mkt'],
  },
  yahoo: {
    ...google,
    query: 'p',
    country: 'vc',
    language: 'vl',
    first: 'b',
    base: 1,
    size: '',
    others: ['yahoo_domain'],
  },
  youtube: { ...google, query: 'search_query', first: '', size: '', others: [] },
};

const keys = ['api_key', 'serp_api_key'];
const general = ['engine', 'location', 'device', 'no_cache', 'async', 'output', 'source', ...keys];

/** The parameters of a page that searches nothing. Clients send an engine with each. */
export const knownOfReading: readonly string[] = [...keys, 'engine', 'output', 'source'];

/** The parameters that have an effect on a search of the engine, or are known to have none. */
export const knownOf = (engine: EngineName): string[] => {
  const { query, country, language, first, size, others } = namesOf[engine];
  return [query, country, language, first, size, ...others, ...general].filter(Boolean);
};

/** @throws HttpError 400. */
export const engineIn = (parameters: Parameters): EngineName => {
  const name = textIn(parameters, 'engine') || 'google';
  return engineNames.find((each) => each === name) ?? refuse(`Unsupported \`${name}\` engine.`);
};

/** `en-US` of Bing's `mkt`: a language and a country. */
const marketIn = (parameters: Parameters): { language: string; country: string } => {
  const [language = '', country = ''] = textIn(parameters, 'mkt').split('-');
  return { language, country };
};

const devices = ['desktop', 'tablet', 'mobile'];
const levels = ['active', 'off'];

/** A word of a list; empty if it is absent. @throws HttpError 400 for another word. */
const wordIn = (parameters: Parameters, name: string, words: readonly string[]): string => {
  const word = textIn(parameters, name);
  return word === '' || words.includes(word) ? word : refuse(`${name} must be ${words.join(' or ')}`);
};

const options = (parameters: Parameters): Asked['options'] => {
  const given = (name: string) => textIn(parameters, name);
  return {
    ...(given('tbs') && { tbs: given('tbs') }),
    ...(given('lr') && { lr: given('lr') }),
    ...(given('cr') && { cr: given('cr') }),
    ...(wordIn(parameters, 'safe', levels) && {
      safe: given('safe') === 'active' ? ('active' as const) : ('off' as const),
    }),
    ...(given('nfpr') && { nfpr: numberIn(parameters, 'nfpr', { least: 0, most: 1, otherwise: 0 }) }),
    ...(given('filter') && { filter: numberIn(parameters, 'filter', { least: 0, most: 1, otherwise: 1 }) }),
  };
};

/** @throws HttpError 400 for what is missing, or cannot be asked. */
export const askedIn = (parameters: Parameters, engine: EngineName): Asked => {
  const names = namesOf[engine];
  const keyword = textIn(parameters, names.query);
  if (keyword === '') refuse(`Missing query \`${names.query}\` parameter.`);
  const perPage = engines[engine].resultsPerPage;
  const most = engine === 'google' ? deepest : perPage * 10;
  const size = names.size
    ? numberIn(parameters, names.size, { least: 1, most, otherwise: perPage })
    : perPage;
  const from = names.first
    ? numberIn(parameters, names.first, { least: names.base, most: most - 1, otherwise: names.base }) -
      names.base
    : 0;
  if (from + size > most) refuse(`Only the first ${most} results can be read.`);
  const market = engine === 'bing' ? marketIn(parameters) : { language: '', country: '' };
  return {
    engine,
    keyword,
    country: textIn(parameters, names.country) || market.country,
    place: textIn(parameters, 'location'),
    language: textIn(parameters, names.language) || market.language,
    device: wordIn(parameters, 'device', devices) === 'mobile' ? 'mobile' : 'desktop',
    size,
    from,
    options: engine === 'google' ? options(parameters) : {},
    isFresh: flagIn(parameters, 'no_cache'),
    domain: textIn(parameters, `${engine}_domain`),
  };
};

/** What the parameters say, and what is not done: a tablet gets the page of a computer. */
export const withoutEffect = (parameters: Parameters): string[] =>
  textIn(parameters, 'device') === 'tablet' ? ['The page for tablets is that for computers.'] : [];
