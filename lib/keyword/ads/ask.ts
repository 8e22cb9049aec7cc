/** Asks Google Ads: one call with its turn, repeated if the source is down. */
import { setTimeout as sleep } from 'node:timers/promises';
import { holdCalls, waitForTurn } from '../../pace/ads-turn.ts';
import type { Call } from '../../provider/google-ads/call.ts';
import type { Fault, ProviderAnswer, ProviderRequest, Read } from '../../provider/provider.ts';
import { stopwatch } from '../../runtime/clock.ts';
import { setting } from '../../runtime/env.ts';
import { log } from '../../runtime/log.ts';
import { sendToAds } from './send.ts';
import { authorize, dropToken } from './token.ts';

/** A question to the source, and the reader of its answer. */
export type Question<Value> = {
  name: 'volumes' | 'ideas';
  request: (call: Call) => ProviderRequest;
  read: (answer: ProviderAnswer) => Read<Value>;
};

export type Patience = {
  /** The time for one call. */
  deadlineMs: number;
  /** Calls at most, while the source is down. */
  attempts: number;
  /** Unix time until which a further attempt may wait for its turn. */
  latest: number;
};

/** The pause before the second attempt; it doubles. */
const firstPauseMs = 1000;

/** Gets a valid token before the turn of a call, so that the call starts at its turn. A fault of the token shows in the call. */
export const prepareCall = async (): Promise<void> => {
  await authorize();
};

const callOnce = async <Value>(question: Question<Value>, deadlineMs: number): Promise<Read<Value>> => {
  const authorized = await authorize();
  if (!authorized.ok) return authorized;
  const { isKept, ...call } = authorized.value;
  const started = stopwatch();
  const answer = await sendToAds(question.request({ ...call, version: setting('ADS_VERSION') }), deadlineMs);
  const read = answer.ok ? question.read(answer.value) : answer;
  const isRefused = !read.ok && read.problem === 'quota';
  log.info(
    'source asked',
    {
      source: 'google-ads',
      question: question.name,
      outcome: read.ok ? 'answered' : read.problem,
      reason: read.ok ? null : read.reason,
    },
    {
      SourceFailed: read.ok || isRefused ? 0 : 1,
      SourceThrottled: isRefused ? 1 : 0,
      SourceMilliseconds: stopwatch() - started,
    },
  );
  if (read.ok || read.problem !== 'credentials' || !isKept) return read;
  // A kept token may have been revoked. A new one shows whether the credentials are still good.
  dropToken();
  return callOnce(question, deadlineMs);
};

/** Asks once, with a turn that the caller has taken. Asks again, with a further turn, while the source is down. Holds the line if it is over quota. */
export const askAds = async <Value>(
  userId: number,
  question: Question<Value>,
  { deadlineMs, attempts, latest }: Patience,
): Promise<Read<Value>> => {
  for (let attempt = 1; ; attempt++) {
    const read = await callOnce(question, deadlineMs);
    if (!read.ok && read.problem === 'quota') await holdCalls(read.retrySeconds ?? 0);
    if (read.ok || read.problem !== 'down' || attempt >= attempts) return read;
    await sleep(firstPauseMs * 2 ** (attempt - 1));
    if ((await waitForTurn(userId, latest)).outcome === 'wait') return read;
  }
};

const words: Record<Fault['problem'], string> = {
  credentials: 'upstream',
  access: 'upstream',
  quota: 'throttled',
  invalid: 'upstream',
  down: 'unreachable',
  timeout: 'timeout',
  malformed: 'upstream',
};

/** The `error_message` of a task that ends because of a fault (Reading 4). */
export const errorMessageOf = ({ problem, reason }: Fault): string => `${words[problem]}: ${reason}`;
