/** Trends, live: of a keyword, or of a country on this day (Reading 20). */
import { whileWaiting } from '../../access/wait-slot.ts';
import { countryOf } from '../../model/country.ts';
import { countryOfLocation, locationOfCountry } from '../../model/country-location.ts';
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
import type { Account } from '../../model/user.ts';
import { type CookieJar, cookieJar } from '../../net/cookie-jar.ts';
import { callSeconds } from '../../pace/call-seconds.ts';
import { type CallTurn, recordCall, takeCallTurns, tooLate } from '../../pace/source-turn.ts';
import { type Inquiry, isRefusedNow, type Provider, type Read } from '../../provider/contract.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { clockMs, preciseClock, sleepUntil } from '../../runtime/clock.ts';
import { callSource } from './call-source.ts';
import { newConversation } from './conversation.ts';
import { requireValue } from './fault-response.ts';
import { type SharedAnswer, shareAnswer } from './share-answer.ts';
import { allTrends, callRate, lineOf, placeOf, type Source, trendsSource } from './source.ts';

const deadlineSeconds = 10;

/**
 * A source may give a cookie with its first refusal and want it in all later calls, so this process keeps the
 * cookies of each place.
 */
const jars = new Map<string, CookieJar>();

const jarOf = (source: Source): CookieJar => {
  const place = `${source.from} ${placeOf(source)}`;
  const jar = jars.get(place) ?? cookieJar();
  jars.set(place, jar);
  return jar;
};

/**
 * Gives the function that makes the calls of one request in sequence. Each takes a turn. `seconds`: the time
 * for all calls together.
 */
const callsOf = (source: Source, isoCode: string, language: string, seconds: number) => {
  const end = clockMs() + seconds * 1000;
  const cookies = jarOf(source);
  const conversation = newConversation({ source, isoCode, language, cookies });
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
    next += callSeconds(turn.rate);
    return turn;
  };

  const callOnce = async <Asked, Value>(
    calls: number,
    provider: Provider<Asked, Value>,
    asked: Asked,
  ): Promise<Read<Value>> => {
    const taken = await waitForTurn(calls);
    const left = Math.max(1, end - clockMs());
    const read = await callSource(conversation, provider, asked, Math.min(deadlineSeconds * 1000, left));
    await isAccepted(recordCall(taken, !read.ok && isRefusedNow(read)));
    return read;
  };

  /**
   * The next of so many calls that are `left`. A refusal that gives a new cookie is repeated once, with the
   * cookie.
   */
  return async <Asked, Value>(
    provider: Provider<Asked, Value>,
    asked: Asked,
    left: number,
  ): Promise<Value> => {
    const url = new URL(provider.request(asked).url);
    const cookie = cookies.headerFor(url);
    const calls = provider.setsCookie && cookie === '' ? left + 1 : left;
    const read = await callOnce(calls, provider, asked);
    const isRepeated = !read.ok && read.problem === 'throttled' && cookies.headerFor(url) !== cookie;
    return requireValue(provider.data, isRepeated ? await callOnce(calls, provider, asked) : read);
  };
};

/** The answer to an inquiry, which requests share. */
const answerTo = <Value>(
  user: Account,
  { key, ask }: Inquiry<Value>,
  isoCode: string,
  language: string | null,
): Promise<SharedAnswer<Value>> => {
  const source = allTrends();
  return shareAnswer(
    source,
    key,
    (seconds) => ask(callsOf(source, isoCode, language ?? '', seconds)),
    (run) => whileWaiting(user, run),
  );
};

const ofKeyword = (user: Account, request: KeywordTrendsRequest): Promise<SharedAnswer<KeywordTrends>> => {
  const { keyword, iso_code, language_code, engine_name } = request;
  const inquiry = trendsSource().ofKeyword({ keyword, iso_code, language_code, engine_name });
  return answerTo(user, inquiry, iso_code, language_code);
};

/** `location_code` names the country, otherwise `iso_code`, otherwise it is the United States. */
const countryIn = ({ location_code, iso_code }: CountryTrendsRequest): string =>
  location_code === undefined && iso_code !== undefined
    ? countryOf(iso_code)
    : (countryOfLocation(location_code ?? defaultLocationCode) ?? '');

const ofCountry = async (
  user: Account,
  request: CountryTrendsRequest,
): Promise<SharedAnswer<CountryTrends>> => {
  const country = countryIn(request);
  const { value, age } = await answerTo(
    user,
    trendsSource().ofCountry(country),
    country,
    request.language_code,
  );
  const location_code = locationOfCountry(country) ?? defaultLocationCode;
  return { value: { status: 'success', location_code, result: value }, age };
};

/**
 * The trends that a request asks for.
 * @throws HttpError 502 if the source gave none, 503 if it may give them later; 429 and 503 as
 * `whileWaiting`.
 */
export const trends = (user: Account, request: TrendsRequest): Promise<SharedAnswer<TrendsReply>> =>
  isOfKeyword(request) ? ofKeyword(user, request) : ofCountry(user, request);
