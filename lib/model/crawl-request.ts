/** The bodies of crawl requests, as the specification defines them. */
import * as v from 'valibot';
import { isCountry } from './country.ts';
import { defaultEngine, engines, isEngineDomain, isEngineLanguage } from './engine.ts';
import { maxBatchTasks, maxCompetitors, maxKeywordLength } from './request-limits.ts';
import { choice, fields, Int, intBetween, list, Text } from './scalar.ts';
import { isTrackable } from './site.ts';

export const Device = choice(['mobile', 'desktop']);
export type Device = v.InferOutput<typeof Device>;

const notTrackable = 'value_error: Value error, not a host name under a public suffix';

const competitorEntries = {
  keyword_id: v.nullable(Int),
  competitor: Text,
  type: Text,
};

/** Reading 16. Competitors of other types have no effect (Reading 17), so their names are not checked. */
export const Competitor = v.pipe(
  fields(competitorEntries),
  v.forward(
    v.check(({ type, competitor }) => type !== 'domain' || isTrackable(competitor), notTrackable),
    ['competitor'],
  ),
);
export type Competitor = v.InferOutput<typeof Competitor>;

/** Reading 28: two letters in either case, echoed as given. */
export const IsoCode = v.pipe(
  Text,
  v.regex(/^[A-Za-z]{2}$/),
  v.check(isCountry, 'value_error: Value error, not the code of a country'),
);

/** Reading 16. Empty means none. */
const Domain = v.pipe(
  Text,
  v.check((domain) => domain === '' || isTrackable(domain), notTrackable),
);

/** The fields that v1 and v2 share, with v1's defaults. */
export const CrawlRequest = fields({
  keyword: v.pipe(Text, v.minLength(1), v.maxCodePoints(maxKeywordLength)),
  location_name: Text,
  iso_code: IsoCode,
  domain: v.optional(v.nullable(Domain), null),
  business_name: v.optional(v.nullable(Text), null),
  competitors: v.optional(v.nullable(list(Competitor, maxCompetitors)), null),
  frequency: v.optional(v.nullable(Int), 24),
  device: v.optional(Device, 'desktop'),
  se_id: v.optional(Int, 0),
  engine_domain: v.optional(Text, ''),
  language_code: v.optional(Text, ''),
  postback_url: v.optional(v.nullable(Text), null),
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
});
export type CrawlRequest = v.InferOutput<typeof CrawlRequest>;

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

export const GoogleCrawlRequest = namingUnknown({
  ...CrawlRequest.entries,
  engine_domain: v.optional(
    v.pipe(
      Text,
      v.check(
        (domain) => isEngineDomain(defaultEngine, domain),
        `value_error: Value error, not a domain of ${engines[defaultEngine].title}`,
      ),
    ),
    engines[defaultEngine].domain,
  ),
  language_code: v.optional(
    v.pipe(
      Text,
      v.check(
        (code) => isEngineLanguage(defaultEngine, code),
        `value_error: Value error, not a language of ${engines[defaultEngine].title}`,
      ),
    ),
    '',
  ),
  depth: v.optional(intBetween(1, 100), 10),
});
export type GoogleCrawlRequest = v.InferOutput<typeof GoogleCrawlRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const GoogleCrawlBatch = list(GoogleCrawlRequest, maxBatchTasks);
