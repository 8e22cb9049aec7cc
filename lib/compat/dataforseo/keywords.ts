/** Live keyword data in the form of DataForSEO: search volumes, and the interest in a keyword over time. */
import * as v from 'valibot';
import type { RawResponse } from '../../api/route.ts';
import { validationErrorsOf } from '../../api/validation-errors.ts';
import { findLiveMetrics } from '../../keyword/ads/live-volume.ts';
import { isSandbox } from '../../keyword/ads/source.ts';
import { allTrends, isSandboxSource } from '../../keyword/web/source.ts';
import { trends } from '../../keyword/web/trends.ts';
import { countryOfLocation, locationOfCountry } from '../../model/country-location.ts';
import { HttpError } from '../../model/http-error.ts';
import { hasData } from '../../model/keyword-metrics.ts';
import { LiveVolumeRequest } from '../../model/keyword-request.ts';
import { territoryLines } from '../../model/territories.ts';
import { type KeywordTrends, TrendsRequest } from '../../model/trends.ts';
import type { Account } from '../../model/user.ts';
import { clock } from '../../runtime/clock.ts';
import { type Parameters, warningsAbout } from '../read.ts';
import { dateText } from './date-text.ts';
import { type Asking, envelope, type Outcome, refuseAll, statusOf } from './envelope.ts';
import {
  languageNamed,
  numberOf,
  parametersIn,
  refusalOf,
  refuseField,
  tagIn,
  tasksIn,
  textOf,
  unusedNames,
} from './fields.ts';
import { originOf, volumeOf } from './figures.ts';

// An operation imports one file of a form.
export { dataforseoDialect } from './dialect.ts';

/** The code of a country by its name, in any case. */
const countryCoded = (name: string): number | undefined => {
  const line = territoryLines
    .trim()
    .split('\n')
    .map((each) => each.split('|'))
    .find(([, , title = '']) => title.toLowerCase() === name.toLowerCase());
  return line && locationOfCountry(line[0] ?? '');
};

/** The code of a place; undefined for the whole world. Only countries have names here. */
export const locationIn = (parameters: Parameters): number | undefined => {
  const code = numberOf(parameters, 'location_code', 1, 2 ** 31 - 1);
  const name = textOf(parameters, 'location_name');
  if (code !== undefined || name === '') return code;
  return countryCoded(name) ?? refuseField('location_name', 'Only countries: send location_code instead.');
};

/** @throws HttpError 422 with the field of the form. */
export const parsed = <Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  names: Record<string, string> = {},
): v.InferOutput<Schema> => {
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  if (success) return output;
  const errors = validationErrorsOf('body', issues);
  throw new HttpError(
    422,
    errors.map(({ loc: [part = 'body', name = '', ...rest], ...error }) => ({
      ...error,
      loc: [part, names[name] ?? name, ...rest],
    })),
  );
};

type Answered = { result: object[]; headers: Record<string, string>; known: string[] };

/**
 * Answers a request with one task. `se`: what is asked.
 * @throws HttpError 502 and 503 if the source gives no data; 429 and 503 as `whileWaiting`.
 */
export const answerOne = async (
  body: unknown,
  asking: Asking,
  se: string,
  answer: (parameters: Parameters) => Promise<Answered>,
): Promise<RawResponse> => {
  const values = tasksIn(body);
  const [value] = values;
  if (values.length !== 1) return refuseAll(values.length === 0 ? 40502 : 40000, asking);
  let data: Parameters = { se };
  try {
    const parameters = parametersIn(value);
    data = { se, ...parameters };
    tagIn(parameters);
    const { result, headers, known } = await answer(parameters);
    const outcome: Outcome = { ...statusOf(20000), data, result };
    return envelope([outcome], {
      ...asking,
      headers: { ...headers, ...warningsAbout(parameters, known, unusedNames(parameters)) },
    });
  } catch (error) {
    if (error instanceof HttpError && error.statusCode !== 422) throw error;
    return envelope([{ ...refusalOf(error), data }], asking);
  }
};

export const shared = ['keywords', 'location_code', 'location_name', 'language_code', 'language_name', 'tag'];

/** The search volumes of up to 1,000 keywords. Throws as `answerOne`. */
export const findVolumes = (body: unknown, asking: Asking, user: Account): Promise<RawResponse> =>
  answerOne(body, asking, 'google_ads', async (parameters) => {
    const location = locationIn(parameters);
    const language = languageNamed(parameters);
    const request = parsed(LiveVolumeRequest, {
      keywords: parameters.keywords,
      location_code: location ?? null,
      language_code: language || null,
    });
    if (request.keywords.length === 0) refuseField('keywords');
    const { metrics, headers } = await findLiveMetrics(user, request);
    const about = { location_code: location, language_code: language };
    const result = metrics.map((each, n) => volumeOf(request.keywords[n] ?? '', each, about));
    return {
      result,
      headers: originOf(isSandbox(), headers, !metrics.some(hasData)),
      known: shared,
    };
  });

/** The engines whose users are meant, by the types of the form. */
const trendTypes = new Map([
  ['web', 'google'],
  ['youtube', 'youtube'],
]);

const weekSeconds = 7 * 86_400;

const dayAfter = (date: string, seconds: number): string =>
  new Date(Date.parse(date) + seconds * 1000).toISOString().slice(0, 10);

/** The elements of the interest in a keyword. */
export const trendItems = (keyword: string, { interest_over_time, related_queries }: KeywordTrends) => {
  const values = interest_over_time.map(({ value }) => value);
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return [
    {
      position: 1,
      type: 'google_trends_graph',
      keywords: [keyword],
      data: interest_over_time.map(({ date, value }) => ({
        date_from: date,
        date_to: dayAfter(date, weekSeconds - 86_400),
        timestamp: Date.parse(date) / 1000,
        missing_data: false,
        values: [value],
      })),
      averages: [Math.round(mean)],
    },
    { position: 2, type: 'google_trends_queries_list', keywords: [keyword], data: related_queries },
  ];
};

/** @throws TaskRefused for what the service does not ask for. */
const trendKeyword = (parameters: Parameters): string => {
  const { keywords } = parameters;
  const [keyword, ...others] = Array.isArray(keywords) ? keywords : [];
  if (typeof keyword !== 'string' || keyword.trim() === '') return refuseField('keywords');
  if (others.length > 0) refuseField('keywords', 'Send one keyword: others are not compared.');
  for (const name of ['date_from', 'date_to']) {
    if (textOf(parameters, name) !== '') refuseField(name, 'The last 12 months are known.');
  }
  const range = textOf(parameters, 'time_range');
  if (range !== '' && range !== 'past_12_months') refuseField('time_range', 'It must be past_12_months.');
  return keyword;
};

/** The interest in a keyword over the last 12 months. Throws as `answerOne`. */
export const exploreTrends = (body: unknown, asking: Asking, user: Account): Promise<RawResponse> =>
  answerOne(body, asking, 'google_trends', async (parameters) => {
    const keyword = trendKeyword(parameters);
    const type = textOf(parameters, 'type') || 'web';
    const engine = trendTypes.get(type) ?? refuseField('type', 'It must be web or youtube.');
    const code = locationIn(parameters) ?? refuseField('location_code', 'A country is required.');
    const country = countryOfLocation(code) ?? refuseField('location_code', 'It must be a country.');
    const language = languageNamed(parameters) || 'en';
    const request = parsed(
      TrendsRequest,
      { keyword, location_name: '', iso_code: country, language_code: language, engine_name: engine },
      { keyword: 'keywords', iso_code: 'location_code', engine_name: 'type' },
    );
    const { value, age } = await trends(user, request);
    if (!('interest_over_time' in value)) throw new Error('The source answered for a country');
    const items = trendItems(keyword, value);
    const answeredAt = clock() - Number(age.age);
    return {
      result: [
        {
          keywords: [keyword],
          type,
          location_code: code,
          language_code: language,
          datetime: dateText(answeredAt),
          items_count: items.length,
          items,
        },
      ],
      headers: originOf(isSandboxSource(allTrends()), age, value.interest_over_time.length === 0),
      known: [...shared, 'type', 'time_range'],
    };
  });
