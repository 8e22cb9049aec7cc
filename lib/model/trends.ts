/** Trends in what people search for: of one keyword, or of a country on this day (Reading 20). */
import * as v from 'valibot';
import { countryLocations, countryOfLocation } from './country-location.ts';
import { IsoCode } from './crawl-request.ts';
import { engineNames, isEngineLanguage, trendsPropertyOf } from './engine.ts';
import { Count, fields, Int, Text } from './scalar.ts';
import { defaultLanguage, keywordEntries, languagesByEngine, noLanguage } from './suggest.ts';

const LocationCode = v.pipe(
  Int,
  v.check(
    (code) => countryOfLocation(code) !== undefined,
    'value_error: Value error, not the Google Ads code of a country',
  ),
  v.metadata({
    get not() {
      return { not: { enum: countryLocations() } };
    },
  }),
  v.description('The Google Ads code of a country'),
);

/** The engines for which trends are known. */
const measuredEngines = engineNames.filter((engine) => trendsPropertyOf(engine) !== undefined);

const KeywordTrendsRequest = v.pipe(
  fields({
    ...keywordEntries,
    engine_name: v.optional(
      v.pipe(keywordEntries.engine_name.wrapped, v.metadata({ enum: measuredEngines })),
      keywordEntries.engine_name.default,
    ),
  }),
  v.forward(
    v.check(
      ({ engine_name }) => measuredEngines.includes(engine_name),
      `value_error: Value error, trends are known for ${measuredEngines.join(' and ')} only`,
    ),
    ['engine_name'],
  ),
  v.forward(
    v.check(
      ({ engine_name, language_code }) => isEngineLanguage(engine_name, language_code ?? ''),
      noLanguage,
    ),
    ['language_code'],
  ),
  v.metadata(languagesByEngine),
);
export type KeywordTrendsRequest = v.InferOutput<typeof KeywordTrendsRequest>;

const CountryTrendsRequest = v.pipe(
  fields({
    location_code: v.optional(LocationCode),
    iso_code: v.optional(
      v.pipe(IsoCode, v.description('The country, if there is no `location_code` (ISO 3166-1 alpha-2)')),
    ),
    language_code: v.optional(
      v.pipe(
        v.nullable(Text),
        v.description('Accepted without effect: the searches are in the language of the country'),
      ),
      defaultLanguage,
    ),
  }),
  v.metadata({ propertyNames: { not: { const: 'keyword' } } }),
);
export type CountryTrendsRequest = v.InferOutput<typeof CountryTrendsRequest>;

/** A request with `keyword` has the first form, a request without it the second one (Reading 20). */
const eitherForm = v.union([KeywordTrendsRequest, CountryTrendsRequest]);
export const TrendsRequest: typeof eitherForm = {
  ...eitherForm,
  '~run': (dataset, config) => {
    const { value } = dataset;
    const hasKeyword = typeof value === 'object' && value !== null && 'keyword' in value;
    return (hasKeyword ? KeywordTrendsRequest : CountryTrendsRequest)['~run'](dataset, config);
  },
};
export type TrendsRequest = v.InferOutput<typeof TrendsRequest>;

export const isOfKeyword = (request: TrendsRequest): request is KeywordTrendsRequest => 'keyword' in request;

const Value = v.pipe(Count, v.description('Searches relative to the most in the period, which is 100'));

export const InterestPoint = v.object({
  date: v.pipe(v.string(), v.description('The first day of a week, UTC (`YYYY-MM-DD`)')),
  value: Value,
});
export type InterestPoint = v.InferOutput<typeof InterestPoint>;

export const RelatedQuery = v.object({
  query: v.pipe(v.string(), v.description('The words that people search for too')),
  value: v.pipe(
    Count,
    v.description(
      '`top`: searches relative to the most frequent query, which is 100. `rising`: the increase in percent',
    ),
  ),
});
export type RelatedQuery = v.InferOutput<typeof RelatedQuery>;

export const KeywordTrends = v.object({
  interest_over_time: v.pipe(
    v.array(InterestPoint),
    v.description('The last twelve months, by week, oldest first; empty if the source has too few searches'),
  ),
  related_queries: v.pipe(
    v.object({
      top: v.pipe(v.array(RelatedQuery), v.description('The most frequent related queries')),
      rising: v.pipe(v.array(RelatedQuery), v.description('The related queries that increase most')),
    }),
    v.description('What people who search for the keyword search for too'),
  ),
});
export type KeywordTrends = v.InferOutput<typeof KeywordTrends>;

export const TrendingSearch = v.object({
  title: v.pipe(v.string(), v.description('The words that people search for')),
  traffic: v.pipe(v.string(), v.description('About how many searches, such as `2000+`')),
  related_queries: v.pipe(
    v.array(v.string()),
    v.description('Related queries. The source does not name any at present, so the list is empty'),
  ),
});
export type TrendingSearch = v.InferOutput<typeof TrendingSearch>;

export const CountryTrends = v.object({
  status: v.pipe(v.literal('success'), v.description('Always `success`: a source that fails is an error')),
  location_code: v.pipe(Count, v.description('The Google Ads code of the country')),
  result: v.pipe(
    v.array(TrendingSearch),
    v.description('What people in the country search for more than usual'),
  ),
});
export type CountryTrends = v.InferOutput<typeof CountryTrends>;

export const TrendsReply = v.union([KeywordTrends, CountryTrends]);
export type TrendsReply = v.InferOutput<typeof TrendsReply>;
