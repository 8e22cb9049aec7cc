/** Calls the source of volumes and ideas: one call with its turn, repeated if the source is down. */
import { setTimeout as sleep } from 'node:timers/promises';
import { holdCalls, waitForTurn } from '../../pace/ads-turn.ts';
import type { Access, Provider, Read } from '../../provider/contract.ts';
import { stopwatch } from '../../runtime/clock.ts';
import { log } from '../../runtime/log.ts';
import { sendRequest } from './send-request.ts';
import { volumeSource } from './source.ts';
import { authorize, dropToken } from './token.ts';

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

/**
 * Gets a valid token before the turn of a call, so that the call starts at its turn. A fault of the token
 * shows in the call.
 */
export const prepareCall = async (): Promise<void> => {
  await authorize();
};

/** Calls the source once, without a turn. A kept token that the source does not accept is renewed. */
export const callOnce = async <Asked extends { access: Access }, Value>(
  provider: Provider<Asked, Value>,
  asked: Omit<Asked, 'access'>,
  deadlineMs: number,
): Promise<Read<Value>> => {
  const authorized = await authorize();
  if (!authorized.ok) return authorized;
  const { isKept, ...access } = authorized.value;
  const started = stopwatch();
  // `Asked` is what was asked with the access.
  const answer = await sendRequest(provider.request({ ...asked, access } as Asked), deadlineMs);
  const read = answer.ok ? provider.read(answer.value) : answer;
  const isThrottled = !read.ok && read.problem === 'throttled';
  log.info(
    'source asked',
    {
      source: volumeSource().name,
      question: provider.data,
      outcome: read.ok ? 'answered' : read.problem,
      reason: read.ok ? null : read.reason,
    },
    {
      SourceFailed: read.ok || isThrottled ? 0 : 1,
      SourceThrottled: isThrottled ? 1 : 0,
      SourceMilliseconds: stopwatch() - started,
    },
  );
  if (read.ok || read.problem !== 'credentials' || !isKept) return read;
  // A kept token may have been revoked. A new one shows whether the credentials are still good.
  dropToken();
  return callOnce(provider, asked, deadlineMs);
};

/**
 * Calls once, with a turn that the caller has taken. Calls again, with a further turn, while the source is
 * down. Holds the line if the source is over quota.
 */
export const callSource = async <Asked extends { access: Access }, Value>(
  userId: number,
  provider: Provider<Asked, Value>,
  asked: Omit<Asked, 'access'>,
  { deadlineMs, attempts, latest }: Patience,
): Promise<Read<Value>> => {
  for (let attempt = 1; ; attempt++) {
    const read = await callOnce(provider, asked, deadlineMs);
    if (!read.ok && read.problem === 'throttled') await holdCalls(read.retryAfterSeconds ?? 0);
    if (read.ok || read.problem !== 'down' || attempt >= attempts) return read;
    await sleep(firstPauseMs * 2 ** (attempt - 1));
    if ((await waitForTurn(userId, latest)).outcome === 'wait') return read;
  }
};
