/** Trends in what people search for: of one keyword, or of a country on this day (Reading 20). */
import * as v from 'valibot';
import { countryLocations, countryOfLocation } from './country-location.ts';
import { IsoCode } from './crawl-request.ts';
import { described } from './described.ts';
import { engineNames, isEngineLanguage, trendsPropertyOf } from './engine.ts';
import { Count, fields, Int, Text } from './scalar.ts';
import {
  defaultLanguage,
  defaultLocationCode,
  keywordEntries,
  languagesByEngine,
  noLanguage,
} from './suggest.ts';

const LocationCode = described(
  v.pipe(
    Int,
    v.check(
      (code) => countryOfLocation(code) !== undefined,
      'value_error: Value error, not the Google Ads code of a country',
    ),
    v.metadata({
      get not() {
        return { not: { enum: countryLocations() } };
      },
      'x-default': defaultLocationCode,
    }),
  ),
  `The Google Ads code of a country. Default: \`${defaultLocationCode}\`, or the code of \`iso_code\``,
  defaultLocationCode,
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
  // As in `SuggestRequest`. A check has the type of its whole request, so the two do not share it.
  v.forward(
    v.check(
      ({ engine_name, language_code }) => isEngineLanguage(engine_name, language_code ?? ''),
      noLanguage,
    ),
    ['language_code'],
  ),
  v.metadata(languagesByEngine(measuredEngines)),
);
export type KeywordTrendsRequest = v.InferOutput<typeof KeywordTrendsRequest>;

const CountryTrendsRequest = v.pipe(
  fields({
    location_code: v.optional(LocationCode),
    iso_code: v.optional(
      described(IsoCode, 'The country, if there is no `location_code` (ISO 3166-1 alpha-2)', 'DE'),
    ),
    language_code: v.optional(
      described(
        v.nullable(Text),
        'Accepted without effect: the searches are in the language of the country',
        'de',
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

const Value = described(Count, 'Searches relative to the most in the period, which is 100', 87);

export const InterestPoint = v.object({
  date: described(v.string(), 'The first day of a week, UTC (`YYYY-MM-DD`)', '2026-11-15'),
  value: Value,
});
export type InterestPoint = v.InferOutput<typeof InterestPoint>;

export const RelatedQuery = v.object({
  query: described(v.string(), 'The words that people search for too', 'espresso'),
  value: described(
    Count,
    '`top`: searches relative to the most frequent query, which is 100. `rising`: the increase in percent',
    100,
  ),
});
export type RelatedQuery = v.InferOutput<typeof RelatedQuery>;

export const KeywordTrends = v.object({
  interest_over_time: described(
    v.array(InterestPoint),
    'The last twelve months, by week, oldest first; empty if the source has too few searches',
    [{ date: '2026-11-15', value: 87 }],
  ),
  related_queries: described(
    v.object({
      top: described(v.array(RelatedQuery), 'The most frequent related queries', [
        { query: 'espresso', value: 100 },
      ]),
      rising: described(v.array(RelatedQuery), 'The related queries that increase most', [
        { query: 'cold brew', value: 250 },
      ]),
    }),
    'What people who search for the keyword search for too',
    { top: [{ query: 'espresso', value: 100 }], rising: [{ query: 'cold brew', value: 250 }] },
  ),
});
export type KeywordTrends = v.InferOutput<typeof KeywordTrends>;

export const TrendingSearch = v.object({
  title: described(v.string(), 'The words that people search for', 'Coffee grinders compared'),
  traffic: described(v.string(), 'About how many searches, such as `2000+`', '5000+'),
  related_queries: described(
    v.array(v.string()),
    'Related queries. The source does not name any at present, so the list is empty',
    ['espresso'],
  ),
});
export type TrendingSearch = v.InferOutput<typeof TrendingSearch>;

export const CountryTrends = v.object({
  status: described(v.literal('success'), 'Always `success`: a source that fails is an error', 'success'),
  location_code: described(Count, 'The Google Ads code of the country', 2840),
  result: described(v.array(TrendingSearch), 'What people in the country search for more than usual', []),
});
export type CountryTrends = v.InferOutput<typeof CountryTrends>;

export const TrendsReply = v.union([KeywordTrends, CountryTrends]);
export type TrendsReply = v.InferOutput<typeof TrendsReply>;
