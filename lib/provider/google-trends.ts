/**
 * Google Trends. A keyword takes three calls: `explore` names the widgets of the page, each with a request
 * and a token that is signed over it, and two of the widgets are then asked for their data. The trending
 * searches of a country are a feed.
 */
import * as v from 'valibot';
import { countryOf } from '../model/country.ts';
import { trendsPropertyOf } from '../model/engine.ts';
import { languageTag } from '../model/language.ts';
import type { InterestPoint, KeywordTrends, RelatedQuery, TrendingSearch } from '../model/trends.ts';
import type {
  Provider,
  ProviderAnswer,
  ProviderRequest,
  Read,
  TrendsAsked,
  TrendsSource,
} from './contract.ts';
import { malformed, refusalOf } from './refusal.ts';
import { readWrappedJson } from './wrapped-json.ts';
import { readXml } from './xml.ts';

const origin = 'https://trends.google.com';

/** What the widgets are asked in addition to their request. The zone is UTC. */
const viewerOf = (language: string | null): Record<string, string> => ({
  hl: languageTag(language || 'en-US'),
  tz: '0',
});

const addressOf = (path: string, parameters: Record<string, string>): string =>
  `${origin}${path}?${new URLSearchParams(parameters)}`;

/** Reads an answer with a schema of what it must contain. */
const reading =
  <Schema extends v.GenericSchema, Value>(
    schema: Schema,
    parse: (body: string) => unknown,
    take: (data: v.InferOutput<Schema>) => Value | undefined,
    what: string,
  ) =>
  (answer: ProviderAnswer): Read<Value> => {
    const refusal = refusalOf(answer);
    if (refusal) return refusal;
    const { success, output } = v.safeParse(schema, parse(answer.body));
    const value = success ? take(output) : undefined;
    return value === undefined ? malformed(`the answer is not ${what}`) : { ok: true, value };
  };

type Widget = {
  /** As the source gave it: the token is signed over it, so it is sent back unchanged. */
  request: string;
  token: string;
  language: string | null;
};
type WidgetName = 'TIMESERIES' | 'RELATED_QUERIES';

const Explored = v.object({
  widgets: v.array(
    v.looseObject({
      id: v.string(),
      token: v.optional(v.string()),
      request: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
});

/** The widgets of a keyword over the last twelve months. */
export const explore: Provider<TrendsAsked, Record<WidgetName, Omit<Widget, 'language'>>> = {
  data: 'trends',
  setsCookie: true,
  request: ({ keyword, iso_code, language_code, engine_name }) => ({
    method: 'GET',
    url: addressOf('/trends/api/explore', {
      ...viewerOf(language_code),
      req: JSON.stringify({
        comparisonItem: [{ keyword, geo: countryOf(iso_code), time: 'today 12-m' }],
        category: 0,
        property: trendsPropertyOf(engine_name) ?? '',
      }),
    }),
    headers: {},
  }),
  read: reading(
    Explored,
    readWrappedJson,
    ({ widgets }) => {
      const [TIMESERIES, RELATED_QUERIES] = (['TIMESERIES', 'RELATED_QUERIES'] as const).map((name) => {
        // With several keywords, each has its widget with a number.
        const { token, request } = widgets.find(({ id }) => id === name || id === `${name}_0`) ?? {};
        return token && request && { token, request: JSON.stringify(request) };
      });
      return TIMESERIES && RELATED_QUERIES ? { TIMESERIES, RELATED_QUERIES } : undefined;
    },
    'a list of widgets with tokens',
  ),
};

const widgetRequest =
  (path: string) =>
  ({ request, token, language }: Widget): ProviderRequest => ({
    method: 'GET',
    url: addressOf(`/trends/api/widgetdata/${path}`, { ...viewerOf(language), req: request, token }),
    headers: {},
  });

const UnixTime = v.pipe(v.string(), v.regex(/^\d{1,11}$/));
const Figure = v.pipe(v.number(), v.minValue(0));

/** A point has the values of all keywords, or a column for each keyword if each has its own period. */
const Timeline = v.object({
  default: v.object({
    timelineData: v.array(
      v.union([
        v.object({ time: UnixTime, value: v.looseTuple([Figure]) }),
        v.object({ columnData: v.looseTuple([v.object({ time: UnixTime, value: Figure })]) }),
      ]),
    ),
  }),
});

const dayOf = (unixTime: string): string => new Date(Number(unixTime) * 1000).toISOString().slice(0, 10);

/** The interest in the first keyword over time. */
export const interest: Provider<Widget, InterestPoint[]> = {
  data: 'interest over time',
  request: widgetRequest('multiline'),
  read: reading(
    Timeline,
    readWrappedJson,
    ({ default: { timelineData } }) =>
      timelineData.map((point) => {
        const { time, value } =
          'columnData' in point ? point.columnData[0] : { time: point.time, value: point.value[0] };
        return { date: dayOf(time), value: Math.round(value) };
      }),
    'a series of interest over time',
  ),
};

const Ranked = v.object({ rankedKeyword: v.array(v.object({ query: v.string(), value: Figure })) });
const RankedLists = v.object({ default: v.object({ rankedList: v.array(Ranked) }) });

const queriesIn = (list: v.InferOutput<typeof Ranked> | undefined): RelatedQuery[] =>
  (list?.rankedKeyword ?? []).map(({ query, value }) => ({ query, value: Math.round(value) }));

/** The related queries. There are two lists, or none if the source has too few searches. */
export const relatedQueries: Provider<Widget, KeywordTrends['related_queries']> = {
  data: 'related queries',
  request: widgetRequest('relatedsearches'),
  read: reading(
    RankedLists,
    readWrappedJson,
    ({ default: { rankedList } }) => ({ top: queriesIn(rankedList[0]), rising: queriesIn(rankedList[1]) }),
    'a list of related queries',
  ),
};

const Feed = v.object({
  rss: v.object({
    channel: v.object({
      item: v.optional(v.array(v.object({ title: v.string(), approx_traffic: v.string() })), []),
    }),
  }),
});

/** The trending searches of a country. */
export const trending: Provider<{ country: string }, TrendingSearch[]> = {
  data: 'trending searches',
  request: ({ country }) => ({
    method: 'GET',
    url: addressOf('/trending/rss', { geo: country }),
    headers: {},
  }),
  read: reading(
    Feed,
    (body) => readXml(body.trim(), ['item']),
    ({ rss }) =>
      rss.channel.item.map(({ title, approx_traffic }) => ({
        title: title.trim(),
        traffic: approx_traffic.trim(),
        related_queries: [],
      })),
    'a feed of trending searches',
  ),
};

export const googleTrends: TrendsSource = {
  name: 'google-trends',
  ofKeyword: (asked) => ({
    key: explore.request(asked).url,
    ask: async (call) => {
      const { language_code: language } = asked;
      const { TIMESERIES, RELATED_QUERIES } = await call(explore, asked, 3);
      const interest_over_time = await call(interest, { ...TIMESERIES, language }, 2);
      const related_queries = await call(relatedQueries, { ...RELATED_QUERIES, language }, 1);
      return { interest_over_time, related_queries };
    },
  }),
  ofCountry: (country) => ({
    key: trending.request({ country }).url,
    ask: (call) => call(trending, { country }, 1),
  }),
};
