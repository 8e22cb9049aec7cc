/** Trends, live: of a keyword, or of a country on this day (Reading 20). */
import { countryOf } from '../../model/country.ts';
import { countryOfLocation, locationOfCountry } from '../../model/country-location.ts';
import { defaultEngine } from '../../model/engine.ts';
import type { Provider, SourceResult } from '../../model/source.ts';
import { defaultLocationCode } from '../../model/suggest.ts';
import {
  type CountryTrends,
  type CountryTrendsRequest,
  isOfKeyword,
  type KeywordTrends,
  type KeywordTrendsRequest,
  type TrendsReply,
  type TrendsRequest,
} from '../../model/trends.ts';
import { type CookieJar, cookieJar } from '../../net/cookie-jar.ts';
import { type CallTurn, recordCall, takeCallTurns, tooLate } from '../../pace/source-turn.ts';
import { explore, interest, relatedQueries, trending } from '../../provider/google-trends.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { clockMs, preciseClock, sleepUntil } from '../../runtime/clock.ts';
import { type Conversation, callSource, newConversation } from './call-source.ts';
import { type SharedAnswer, shareAnswer } from './share-answer.ts';
import { callRate, lineOf, placeOf, type Source } from './source.ts';
import { answerOf } from './source-failure.ts';

const deadlineSeconds = 10;

/** The source gives a cookie with its first refusal and wants it in all later calls, so this process keeps the cookies of each place. */
const jars = new Map<string, CookieJar>();

const jarOf = (source: Source): CookieJar => {
  const jar = jars.get(placeOf(source)) ?? cookieJar();
  jars.set(placeOf(source), jar);
  return jar;
};

/** Whether the source has given a cookie. */
const isKnown = (source: Source, url: string): boolean => jarOf(source).headerFor(new URL(url)) !== '';

/** Makes the calls of one request to the source in sequence. Each call takes a turn. `seconds`: the time limit for all calls together. */
const conversationWith = (source: Source, isoCode: string, language: string, seconds: number) => {
  const end = clockMs() + seconds * 1000;
  const cookies = jarOf(source);
  const conversation: Conversation = newConversation({ source, isoCode, language, cookies });
  let turn: CallTurn | undefined;
  let turnsLeft = 0;
  let next = 0;

  /** Waits for the next turn. Takes turns for so many calls if none is left. */
  const waitForTurn = async (calls: number): Promise<CallTurn> => {
    if (!turn || turnsLeft === 0) {
      turn = await takeCallTurns(lineOf(source), callRate(source), calls);
      next = turn.at;
      turnsLeft = calls;
    }
    // At a low rate, the turns of one request reach beyond the time in which its client waits.
    if (next * 1000 >= end) throw tooLate(next - preciseClock());
    await sleepUntil(next);
    turnsLeft -= 1;
    next += turn.rate && 1 / turn.rate;
    return turn;
  };

  const callOnce = async <Asked, Value>(
    calls: number,
    provider: Provider<Asked, Value>,
    asked: Asked,
  ): Promise<SourceResult<Value>> => {
    const taken = await waitForTurn(calls);
    const left = Math.max(1, end - clockMs());
    const result = await callSource(conversation, provider, asked, Math.min(deadlineSeconds * 1000, left));
    await isAccepted(recordCall(taken, result.outcome === 'blocked' || result.outcome === 'throttled'));
    return result;
  };

  /** The next of so many `calls`. A refusal that gives a new cookie is repeated once, with the cookie. */
  return async <Asked, Value>(
    calls: number,
    provider: Provider<Asked, Value>,
    asked: Asked,
  ): Promise<SourceResult<Value>> => {
    const { url } = provider.request(asked);
    const cookie = cookies.headerFor(new URL(url));
    const result = await callOnce(calls, provider, asked);
    const isNew = cookies.headerFor(new URL(url)) !== cookie;
    return result.outcome === 'throttled' && isNew ? callOnce(calls, provider, asked) : result;
  };
};

const ofKeyword = (request: KeywordTrendsRequest): Promise<SharedAnswer<KeywordTrends>> => {
  const { keyword, iso_code, language_code: language, engine_name } = request;
  const source: Source = { name: 'trends', engine: defaultEngine };
  const asked = { keyword, iso_code, language_code: language, engine_name };
  return shareAnswer(source, explore.request(asked).url, async (seconds) => {
    const call = conversationWith(source, iso_code, language ?? '', seconds);
    // The first call of a process is refused once, to set the cookie.
    const calls = isKnown(source, explore.request(asked).url) ? 3 : 4;
    const { TIMESERIES, RELATED_QUERIES } = answerOf('trends', await call(calls, explore, asked));
    const points = await call(2, interest, { ...TIMESERIES, language });
    const interest_over_time = answerOf('interest over time', points);
    const queries = await call(1, relatedQueries, { ...RELATED_QUERIES, language });
    return { interest_over_time, related_queries: answerOf('related queries', queries) };
  });
};

/** `location_code` names the country, otherwise `iso_code`, otherwise it is the United States. */
const countryIn = ({ location_code, iso_code }: CountryTrendsRequest): string =>
  location_code === undefined && iso_code !== undefined
    ? countryOf(iso_code)
    : (countryOfLocation(location_code ?? defaultLocationCode) ?? '');

const ofCountry = (request: CountryTrendsRequest): Promise<SharedAnswer<CountryTrends>> => {
  const country = countryIn(request);
  const source: Source = { name: 'trends', engine: defaultEngine };
  return shareAnswer(source, trending.request({ country }).url, async (seconds) => {
    const call = conversationWith(source, country, request.language_code ?? '', seconds);
    const result = answerOf('trending searches', await call(1, trending, { country }));
    return { status: 'success', location_code: locationOfCountry(country) ?? defaultLocationCode, result };
  });
};

/**
 * The trends that a request asks for.
 * @throws HttpError 502 if the source gave none, 503 if it may give them later.
 */
export const trends = (request: TrendsRequest): Promise<SharedAnswer<TrendsReply>> =>
  isOfKeyword(request) ? ofKeyword(request) : ofCountry(request);
