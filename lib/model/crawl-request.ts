/** The bodies of crawl requests, as the specification defines them. */
import * as v from 'valibot';
import { countryPattern, isCountry } from './country.ts';
import {
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
import { shownPattern } from './pattern.ts';
import { maxBatchTasks, maxCompetitors, maxKeywordLength } from './request-limits.ts';
import { Bool, choice, fields, Int, intBetween, list, Text, WebhookUrl } from './scalar.ts';
import { searchOptions } from './search-options.ts';

export const Device = choice(['mobile', 'desktop']);
export type Device = v.InferOutput<typeof Device>;

const competitorEntries = {
  keyword_id: v.nullable(Int),
  competitor: Text,
  type: Text,
};

export const Competitor = fields(competitorEntries);
export type Competitor = v.InferOutput<typeof Competitor>;

/** Reading 28: two letters in either case, echoed as given. */
export const IsoCode = v.pipe(
  Text,
  v.regex(/^[A-Za-z]{2}$/),
  v.check(isCountry, 'value_error: Value error, not the code of a country'),
  v.metadata(shownPattern(() => `^${countryPattern()}$`)),
);

const notOf = (noun: string): string => `value_error: Value error, not ${noun}`;

const textThat = (isValid: (text: string) => boolean, noun: string) =>
  v.pipe(Text, v.check(isValid, notOf(noun)));

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
const codesOf = ({ title, isDomain, isLanguage, names }: Names) => ({
  Domain: v.pipe(textThat(isDomain, `a domain of ${title}`), v.metadata(domainPattern(names))),
  Language: v.pipe(textThat(isLanguage, `a language of ${title}`), v.metadata(languageCodePattern(names))),
});

/** The texts for an engine that is not known. */
export const anyCodes = codesOf(anyEngine);

/** The texts for each engine. */
export const codes = Object.fromEntries(
  engineNames.map((engine) => [engine, codesOf(namesOf(engine))]),
) as Record<EngineName, ReturnType<typeof codesOf>>;

/** The fields that v1 and v2 share, with v1's defaults. If the engine is unknown, they are not compared with it. */
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
    keyword: v.pipe(Text, v.minLength(1), v.maxCodePoints(maxKeywordLength)),
    location_name: Text,
    iso_code: IsoCode,
    /** Reading 16. Empty means none. */
    domain: v.optional(v.nullable(textThat((domain) => domain === '' || isSite(domain), noun)), null),
    business_name: v.optional(v.nullable(Text), null),
    competitors: v.optional(v.nullable(list(Rival, maxCompetitors)), null),
    frequency: v.optional(v.nullable(Int), 24),
    device: v.optional(Device, 'desktop'),
    se_id: v.optional(Int, 0),
    engine_domain: v.optional(Domain, ''),
    language_code: v.optional(Language, ''),
    postback_url: v.optional(v.nullable(WebhookUrl), null),
    post_id: v.optional(v.nullable(Text), ''),
    keyword_id: v.optional(v.nullable(Int), null),
    /** Reading 15: null is recorded as 1. */
    priority: v.optional(
      v.pipe(
        v.nullable(Int),
        v.transform((priority) => priority ?? 1),
      ),
      1,
    ),
  };
};

const unknownIn = (value: unknown, entries: object): string[] =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).filter((name) => !Object.hasOwn(entries, name))
    : [];

/** As `fields`, for a crawl request. The output also has the names of the fields that the schema does not have (Reading 29), if any. */
const namingUnknown = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const schema = fields(entries);
  type Output = v.InferOutput<typeof schema> & { unknown_fields?: string[] };
  const named = {
    ...schema,
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) => {
      const { value } = dataset;
      const result = schema['~run'](dataset, config);
      const competitors = typeof value === 'object' && value && 'competitors' in value && value.competitors;
      const names = new Set([
        ...unknownIn(value, entries),
        ...(Array.isArray(competitors) ? competitors : []).flatMap((each) =>
          unknownIn(each, competitorEntries).map((name) => `competitors[].${name}`),
        ),
      ]);
      if (result.typed && names.size > 0) Object.assign(result.value, { unknown_fields: [...names] });
      return result;
    },
  };
  return named as v.GenericSchema<v.InferInput<typeof schema>, Output>;
};

/** The body of a v1 crawl, with an engine that is not known. */
export const CrawlRequest = namingUnknown(entriesFor(null));
export type CrawlRequest = v.InferOutput<typeof CrawlRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const CrawlBatch = list(CrawlRequest, maxBatchTasks);

const bodiesFor = (engine: EngineName) => {
  const one: typeof CrawlRequest = namingUnknown(entriesFor(engine));
  return { one, batch: list(one, maxBatchTasks) };
};

/** The bodies of v1 crawls by engine: `one` is a request, `batch` a list of them. */
export const crawlBodies = Object.fromEntries(
  engineNames.map((engine) => [engine, bodiesFor(engine)]),
) as Record<EngineName, ReturnType<typeof bodiesFor>>;

export const SystemParams = v.object({ system_name: choice(engineNames) });

/** The parts of a result that a webhook can have in addition to its own layout (Reading 33). */
export const postbackFields = ['left', 'right'] as const;

const v2Entries = entriesFor(defaultEngine);

export const GoogleCrawlRequest = namingUnknown({
  ...v2Entries,
  engine_domain: v.optional(v2Entries.engine_domain.wrapped, engines[defaultEngine].domain),
  depth: v.optional(intBetween(1, 100), 10),
  ...searchOptions,
  stop_on_match: v.pipe(
    v.optional(Bool, false),
    v.description(
      'Whether the crawl ends after the page on which `domain` is found. Its pages are then fetched one after another',
    ),
  ),
  postback_fields: v.pipe(
    v.optional(v.nullable(list(choice(postbackFields), postbackFields.length)), null),
    v.description(
      'Parts of the polled result that the webhook has too, in its `result`: `left` is the main column, `right` the sidebar',
    ),
  ),
});
export type GoogleCrawlRequest = v.InferOutput<typeof GoogleCrawlRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const GoogleCrawlBatch = list(GoogleCrawlRequest, maxBatchTasks);
