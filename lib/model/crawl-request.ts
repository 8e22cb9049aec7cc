/** The bodies of crawl requests, as the specification defines them. */
import * as v from 'valibot';
import { countryPattern, isCountry } from './country.ts';
import { component, described, describedAs, keysOf, withWords } from './described.ts';
import {
  aboutDomain,
  aboutLanguage,
  defaultEngine,
  domainPattern,
  type EngineName,
  engineNames,
  engines,
  isEngineDomain,
  isEngineLanguage,
  languageCodePattern,
  sitesOf,
} from './engine.ts';
import { Keyword } from './keyword.ts';
import { shownPattern } from './pattern.ts';
import { maxBatchTasks, maxCompetitors } from './request-limits.ts';
import { Bool, choice, fields, Int, intBetween, KeptText, list, Text, WebhookUrl } from './scalar.ts';
import { requestedOptions } from './search-options.ts';
import { withUnknownFields } from './unknown-fields.ts';

const devices = { mobile: 'a telephone', desktop: 'a computer' };

export const Device = component(
  'Device',
  withWords('The device whose result page is read', devices),
  choice(keysOf(devices)),
);
export type Device = v.InferOutput<typeof Device>;

const aboutKeywordId = 'A number of your own for the keyword. It is returned with the task';

const competitorEntries = {
  keyword_id: described(v.nullable(Int), aboutKeywordId, 42),
  competitor: described(Text, 'The domain of the competitor', 'rival.example'),
  type: described(Text, '`domain`. Competitors of other types are returned and have no effect', 'domain'),
};

export const Competitor = component(
  'Competitor',
  'A competitor whose rank is always reported',
  fields(competitorEntries),
);
export type Competitor = v.InferOutput<typeof Competitor>;

/** Reading 28: two letters in either case, echoed as given. */
export const IsoCode = component(
  'CountryCode',
  'The two letters of a country in ISO 3166-1, in either case. `UK` is read as `GB`',
  v.pipe(
    Text,
    v.regex(/^[A-Za-z]{2}$/),
    v.check(isCountry, 'value_error: Value error, not the code of a country'),
    v.metadata(shownPattern(() => `^${countryPattern()}$`)),
  ),
);

const notOf = (noun: string): string => `value_error: Value error, not ${noun}`;

const textThat = (isValid: (text: string) => boolean, noun: string) =>
  v.pipe(KeptText, v.check(isValid, notOf(noun)));

type Names = {
  title: string;
  isSite: (name: string) => boolean;
  noun: string;
  isDomain: (domain: string) => boolean;
  isLanguage: (code: string) => boolean;
  /** The engines that are meant. */
  names: readonly EngineName[];
};

const namesOf = (engine: EngineName): Names => ({
  title: engines[engine].title,
  ...sitesOf(engine),
  isDomain: (domain) => isEngineDomain(engine, domain),
  isLanguage: (code) => isEngineLanguage(engine, code),
  names: [engine],
});

const anything = () => true;
const anyEngine: Names = {
  title: '',
  isSite: anything,
  noun: '',
  isDomain: anything,
  isLanguage: anything,
  names: engineNames,
};

/** The texts of a request that an engine must know. */
const codesOf = ({ title, isDomain, isLanguage, names }: Names) => {
  const [domain, language] = [aboutDomain(title), aboutLanguage(title)];
  return {
    Domain: component(
      domain.title,
      domain.description,
      v.pipe(textThat(isDomain, `a domain of ${title}`), v.metadata(domainPattern(names))),
    ),
    Language: component(
      language.title,
      language.description,
      v.pipe(textThat(isLanguage, `a language of ${title}`), v.metadata(languageCodePattern(names))),
    ),
  };
};

/** The texts for an engine that is not known. */
const anyCodes = codesOf(anyEngine);

/** The texts for each engine. */
export const codes = Object.fromEntries(
  engineNames.map((engine) => [engine, codesOf(namesOf(engine))]),
) as Record<EngineName, ReturnType<typeof codesOf>>;

/**
 * The fields that v1 and v2 share, with v1's defaults. If the engine is unknown, they are not compared with
 * it.
 */
export const entriesFor = (engine: EngineName | null) => {
  const { isSite, noun } = engine ? namesOf(engine) : anyEngine;
  const { Domain, Language } = engine ? codes[engine] : anyCodes;
  // Reading 16. Competitors of other types have no effect (Reading 17), so their names are not checked.
  const Rival = v.pipe(
    Competitor,
    v.forward(
      v.check(({ type, competitor }) => type !== 'domain' || isSite(competitor), notOf(noun)),
      ['competitor'],
    ),
  );
  return {
    keyword: described(Keyword, 'The search query, 1 to 2,048 characters', 'coffee grinder'),
    location_name: described(
      Text,
      'The place to search from, as `GET /api/v1/common/locations` names it: a country, or a city with its ' +
        'region and ' +
        'country',
      'Berlin,Germany',
    ),
    iso_code: described(
      IsoCode,
      'The country of the search: its two letters of ISO 3166-1, in either case. `UK` is read as `GB`',
      'DE',
    ),
    /** Reading 16. Empty means none. */
    domain: described(
      v.optional(v.nullable(textThat((domain) => domain === '' || isSite(domain), noun)), null),
      'The domain to track. If it is given, `result` has the ranks of domains instead of the result items. ' +
        'On YouTube: ' +
        'a channel or a video',
      'example.com',
    ),
    business_name: described(
      v.optional(v.nullable(Text), null),
      'The name of a business to track in the local pack. It has an effect only together with `domain`',
      'Acme Coffee',
    ),
    competitors: described(
      v.optional(v.nullable(list(Rival, maxCompetitors)), null),
      'Domains whose rank is always reported beside that of `domain`',
      [{ keyword_id: 7, competitor: 'rival.example', type: 'domain' }],
    ),
    frequency: described(
      v.optional(v.nullable(Int), 24),
      'How often the keyword is tracked, in hours. Pages of an earlier search that are younger than this ' +
        'are reused ' +
        '(Google and YouTube: than a week at least). 0 or less: the engine is always asked. Null counts as ' +
        '24',
      24,
    ),
    device: described(v.optional(Device, 'desktop'), 'The device whose result page is read', 'mobile'),
    se_id: described(
      v.optional(Int, 0),
      'The id of an engine configuration of `GET /api/v1/common/engines/{system}`. It fills the fields ' +
        'that are empty. ' +
        '0: none',
      0,
    ),
    engine_domain: described(
      v.optional(Domain, ''),
      'The domain of the engine. Empty: the default of the engine',
      engines[defaultEngine].domain,
    ),
    language_code: described(
      v.optional(Language, ''),
      'The language of the search, with a script or a region if needed. Empty: the default of the engine',
      'de',
    ),
    postback_url: described(
      v.optional(v.nullable(WebhookUrl), null),
      'The URL that receives the finished task. HTTPS, at a public address. Null or empty: no webhook',
      'https://hooks.example.com/rankings',
    ),
    post_id: described(
      v.optional(v.nullable(Text), ''),
      'An identifier of your own. It is returned with the task',
      'order-17',
    ),
    keyword_id: described(v.optional(v.nullable(Int), null), aboutKeywordId, 42),
    /** Reading 15: null is recorded as 1. */
    priority: described(
      v.optional(
        v.pipe(
          v.nullable(Int),
          v.transform((priority) => priority ?? 1),
        ),
        1,
      ),
      '1 or 2. It is recorded, and has no effect on the order of tasks',
      1,
    ),
  };
};

/** The objects in a request whose unknown fields are named, too. */
const lists = { competitors: competitorEntries };

/** The fields of a request, as far as they do not depend on the engine. */
export const anyEntries = entriesFor(null);

/** The body of a v1 crawl, with an engine that is not known. */
export const CrawlRequest = component(
  'CrawlRequest',
  'A search of version 1. The path names the engine, so the service compares `engine_domain` and ' +
    '`language_code` with ' +
    'that engine',
  withUnknownFields(anyEntries, lists),
);
export type CrawlRequest = v.InferOutput<typeof CrawlRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const CrawlBatch = list(CrawlRequest, maxBatchTasks);

const bodiesFor = (engine: EngineName) => {
  const one = withUnknownFields(entriesFor(engine), lists);
  return { one, batch: list(one, maxBatchTasks) };
};

/** The bodies of v1 crawls by engine: `one` is a request, `batch` a list of them. */
export const crawlBodies = Object.fromEntries(
  engineNames.map((engine) => [engine, bodiesFor(engine)]),
) as Record<EngineName, ReturnType<typeof bodiesFor>>;

export const SystemParams = v.object({
  system_name: described(choice(engineNames), 'The search engine', defaultEngine),
});

/** The parts of a result that a webhook can have in addition to its own layout (Reading 33). */
export const postbackFields = ['left', 'right'] as const;

const v2Entries = entriesFor(defaultEngine);

/** The fields that only requests of version 2 have. */
export const v2OnlyEntries = {
  depth: described(
    v.optional(intBetween(1, 100), 10),
    'The number of results to read, 1 to 100. Ten results are one page',
    20,
  ),
  ...requestedOptions,
  stop_on_match: described(
    v.optional(Bool, false),
    'Whether the crawl ends after the page on which `domain` is found. Its pages are then fetched one ' +
      'after another',
    false,
  ),
  postback_fields: described(
    v.optional(v.nullable(list(choice(postbackFields), postbackFields.length)), null),
    'Parts of the polled result that the webhook has too, in its `result`: `left` is the main column, ' +
      '`right` the ' +
      'sidebar',
    ['left'],
  ),
};

export const GoogleCrawlRequest = component(
  'GoogleCrawlRequest',
  'A search of version 2',
  withUnknownFields(
    {
      ...v2Entries,
      engine_domain: describedAs(
        v.optional(v2Entries.engine_domain.wrapped, engines[defaultEngine].domain),
        v2Entries.engine_domain,
      ),
      ...v2OnlyEntries,
    },
    lists,
  ),
);
export type GoogleCrawlRequest = v.InferOutput<typeof GoogleCrawlRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const GoogleCrawlBatch = list(GoogleCrawlRequest, maxBatchTasks);
