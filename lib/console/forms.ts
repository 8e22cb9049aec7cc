/** A search of the playground in the forms of other services: what is sent, and what a client changes. */
import { quoted } from './format.ts';
import type { SearchBody, Target } from './search.ts';

/** A request, without its key. */
export type FormRequest = { path: string; body?: unknown };

type Asked = {
  engine: string;
  keyword: string;
  /** Two letters. */
  country: string;
  place: string;
  language: string;
  device: string;
  depth: number;
};

type Form = {
  title: string;
  engines: readonly string[];
  /** The address of the other service, and ours below the base. */
  before: string;
  path: string;
  /** How its clients send a key, in words and as options of curl. */
  key: string;
  curl: string;
  request: (asked: Asked) => FormRequest;
};

const all = ['google', 'bing', 'yahoo', 'youtube'];

/** The parameters of SerpApi by engine: of the query, the country and the language. */
const serpapiNames: Record<string, readonly [query: string, country: string, language: string]> = {
  google: ['q', 'gl', 'hl'],
  bing: ['q', 'cc', 'setlang'],
  yahoo: ['p', 'vc', 'vl'],
  youtube: ['search_query', 'gl', 'hl'],
};

/** A query string without the parameters that are empty. */
const queryOf = (parameters: Record<string, string>): string =>
  new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();

const countryName = (code: string): string => {
  try {
    return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
};

const serpapiQuery = ({ engine, keyword, country, place, language, device, depth }: Asked): string => {
  const [query, ofCountry, ofLanguage] = serpapiNames[engine] ?? ['q', 'gl', 'hl'];
  return queryOf({
    engine,
    [query]: keyword,
    location: place,
    [ofCountry]: country.toLowerCase(),
    [ofLanguage]: language,
    device,
    ...(engine === 'google' && { num: String(depth) }),
  });
};

/** The forms by their names in paths. */
export const forms = {
  serper: {
    title: 'Serper',
    engines: ['google'],
    before: 'https://google.serper.dev',
    path: 'compat/serper',
    key: 'X-API-KEY: $API_KEY',
    curl: '-H "X-API-KEY: $API_KEY"',
    request: ({ keyword, country, place, language, depth }) => ({
      path: 'compat/serper/search',
      body: {
        q: keyword,
        gl: country.toLowerCase(),
        ...(language && { hl: language }),
        ...(place && { location: place }),
        num: depth,
      },
    }),
  },
  searxng: {
    title: 'SearXNG',
    engines: all,
    before: 'http://localhost:8080',
    path: 'compat/searxng',
    key: 'Authorization: Bearer $API_KEY, or a search key at the end of the address',
    curl: '-H "Authorization: Bearer $API_KEY"',
    request: ({ engine, keyword, country, language }) => {
      const query = {
        q: keyword,
        engines: engine,
        language: language && `${language}-${country}`,
        format: 'json',
      };
      return { path: `compat/searxng/search?${queryOf(query)}` };
    },
  },
  serpapi: {
    title: 'SerpApi',
    engines: all,
    before: 'https://serpapi.com',
    path: 'compat/serpapi',
    key: 'api_key=$API_KEY',
    curl: '--get -d "api_key=$API_KEY"',
    request: (asked) => ({ path: `compat/serpapi/search.json?${serpapiQuery(asked)}` }),
  },
  dataforseo: {
    title: 'DataForSEO',
    engines: all,
    before: 'https://api.dataforseo.com',
    path: 'compat/dataforseo',
    key: 'the login $USER_ID and the password $API_KEY',
    curl: '-u "$USER_ID:$API_KEY"',
    request: ({ engine, keyword, country, place, language, device, depth }) => ({
      path: `compat/dataforseo/v3/serp/${engine}/organic/live/advanced`,
      body: [
        {
          keyword,
          location_name: place || countryName(country),
          language_code: language || 'en',
          device,
          ...(engine === 'google' && { depth }),
        },
      ],
    }),
  },
} as const satisfies Record<string, Form>;

export type FormName = keyof typeof forms;

const formOf = (name: FormName): Form => forms[name];

const engineOf = (target: Target): string => (target === 'v2' ? 'google' : target.slice('v1/'.length));

/** The forms that have the engine of a target. */
export const formsFor = (target: Target): FormName[] =>
  (Object.keys(forms) as FormName[]).filter((name) => formOf(name).engines.includes(engineOf(target)));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The search of the playground as a request in a form. */
export const formRequest = (name: FormName, target: Target, body: SearchBody): FormRequest =>
  formOf(name).request({
    engine: engineOf(target),
    keyword: textOf(body.keyword),
    country: textOf(body.iso_code) || 'US',
    place: textOf(body.location_name),
    language: textOf(body.language_code),
    device: textOf(body.device) || 'desktop',
    depth: Number(body.depth ?? 10),
  });

/** The request as a command. Its key is a variable of the shell. */
export const formCurl = (name: FormName, { path, body }: FormRequest, baseUrl: string): string =>
  [
    `curl -s ${quoted(baseUrl + path)}`,
    `  ${formOf(name).curl}`,
    ...(body === undefined
      ? []
      : [`  -H 'Content-Type: application/json'`, `  -d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n');

/** The two lines that a client changes: its address and its key. */
export const changedLines = (name: FormName, baseUrl: string): string => {
  const { before, path, key } = formOf(name);
  return [`${baseUrl}${path} in place of ${before}`, key].join('\n');
};
