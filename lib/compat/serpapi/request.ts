/** The search that a request in the form of SerpApi asks for. Pure, but for the errors. */
import { type EngineName, engineNames, engines } from '../../model/engine.ts';
import { countryOfYahooHost } from '../../model/market.ts';
import { type Asked, deepest } from '../asked.ts';
import { flagIn, numberIn, type Parameters, refuse, textIn, wordIn } from '../read.ts';

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

/** The words of the form for the two scripts of Chinese, with the codes of languages that mean them. */
const scripts = new Map([
  ['zh_chs', 'zh-Hans'],
  ['zh_cht', 'zh-Hant'],
]);

/** The code of a language: that of Yahoo's `vl` is `lang_de`. */
const languageIn = (parameters: Parameters, engine: EngineName): string => {
  const text = textIn(parameters, namesOf[engine].language);
  if (engine !== 'yahoo') return text;
  const code = text.replace(/^lang_/, '');
  return scripts.get(code) ?? code;
};

/** The code of a language as the form has it for the engine. */
export const languageFor = (engine: EngineName, code: string): string => {
  if (engine !== 'yahoo' || code === '') return code;
  const [word = code] = [...scripts].find(([, each]) => each === code) ?? [];
  return `lang_${word}`;
};

const devices = ['desktop', 'tablet', 'mobile'];
const levels = ['active', 'off'];

/** Whether the stored page is asked for, not JSON. @throws HttpError 400 for another output. */
export const isHtmlIn = (parameters: Parameters): boolean =>
  wordIn(parameters, 'output', ['json', 'html']) === 'html';

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

const refusePlace = (place: string): never =>
  refuse(
    `Unsupported \`${place.slice(0, 100)}\` location - location parameter. ` +
      'Send a name of /locations.json, or one that ends with its country.',
  );

/** `fr` of Yahoo's domain is `fr.search.yahoo.com`. A host is one already. */
const domainIn = (parameters: Parameters, engine: EngineName): string => {
  const domain = textIn(parameters, `${engine}_domain`).toLowerCase();
  return engine === 'yahoo' && /^[a-z]+$/.test(domain) ? `${domain}.search.yahoo.com` : domain;
};

/** Yahoo's domain as the form has it; undefined for the default one. */
export const yahooDomainOf = (host: string): string | undefined =>
  /^(?!www\.|search\.)(\w+)\.(?:search\.)?yahoo\.com$/.exec(host.replace(/^www\./, ''))?.[1];

/** The country that the parameters name. Of Yahoo, its domain can. */
const countryIn = (parameters: Parameters, engine: EngineName, domain: string): string =>
  textIn(parameters, namesOf[engine].country) ||
  (engine === 'yahoo' && domain !== '' && textIn(parameters, 'location') === ''
    ? countryOfYahooHost(domain)
    : '');

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
  const domain = domainIn(parameters, engine);
  const market = engine === 'bing' ? marketIn(parameters) : { language: '', country: '' };
  return {
    engine,
    keyword,
    country: countryIn(parameters, engine, domain) || market.country,
    place: textIn(parameters, 'location'),
    refusePlace,
    language: languageIn(parameters, engine) || market.language,
    device: wordIn(parameters, 'device', devices) === 'mobile' ? 'mobile' : 'desktop',
    size,
    from,
    options: engine === 'google' ? options(parameters) : {},
    isFresh: flagIn(parameters, 'no_cache'),
    domain,
  };
};

/** What the parameters say, and what is not done: a tablet gets the page of a computer. */
export const withoutEffect = (parameters: Parameters): string[] =>
  textIn(parameters, 'device') === 'tablet' ? ['The page for tablets is that for computers.'] : [];
