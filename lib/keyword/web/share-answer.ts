/**
 * Answers that all users share. The first request for an answer claims its row and asks the source. Requests
 * that come meanwhile, in any function, wait for that answer; later ones use it while it is fresh.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '../../model/http-error.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { preciseClock } from '../../runtime/clock.ts';
import { type AnswerKey, type AnswerRow, claimAnswer, readAnswer, storeAnswer } from '../../store/answers.ts';
import { cacheSeconds, placeOf, type Source } from './source.ts';

/** The gateway waits for 29 s. */
const budgetSeconds = 25;

/** The least time in which a source can be asked. */
const leastSeconds = 3;

const pollMs = 150;

/** Runs what may wait for up to 25 s: in a slot of the request's user, or as a part of what has one. */
export type Hold = <Output>(run: () => Promise<Output>) => Promise<Output>;

/** An answer, and the headers of the response that tell its age. */
export type SharedAnswer<Value> = { value: Value; age: { 'x-cache': 'hit' | 'miss'; age: string } };

/** `answeredAt` is undefined if this request has asked the source. */
const aged = <Value>(value: Value, answeredAt?: number): SharedAnswer<Value> => {
  const seconds = answeredAt === undefined ? 0 : Math.max(0, Math.floor(preciseClock() - answeredAt));
  return { value, age: { 'x-cache': answeredAt === undefined ? 'miss' : 'hit', age: String(seconds) } };
};

const keyOf = (source: Source, asked: unknown): AnswerKey => ({
  snapshot_hash: createHash('sha256')
    .update(JSON.stringify([source, asked]))
    .digest('hex'),
  source: `${source.name} ${placeOf(source)}`,
});

/**
 * The outcome in a row that a request may use: a fresh answer, or whatever came of the claim that it has
 * waited for.
 */
const usable = (
  row: AnswerRow,
  freshFrom: number,
  waitedFor: string | undefined,
): SharedAnswer<unknown> | undefined => {
  const { value, answered_at = 0, failure, claim } = row;
  const isMine = claim === waitedFor;
  if (value !== undefined && (answered_at > freshFrom || isMine)) return aged(JSON.parse(value), answered_at);
  if (failure && isMine) throw new HttpError(failure.status, failure.detail, failure.headers);
  return undefined;
};

const failureOf = (error: unknown) =>
  error instanceof HttpError && typeof error.detail === 'string'
    ? { status: error.statusCode, detail: error.detail, headers: error.headers }
    : {
        status: 503,
        detail: 'The request that asked the source has failed: send the request again later',
        headers: { 'Retry-After': '5' },
      };

/**
 * Waits for the answer of another request until `end`, or claims the question and asks. `first`: the row at
 * its first reading.
 */
const waitOrAsk = async <Value>(
  key: AnswerKey,
  keepSeconds: number,
  first: AnswerRow | undefined,
  end: number,
  ask: (seconds: number) => Promise<Value>,
): Promise<SharedAnswer<Value>> => {
  const claim = randomUUID();
  let waitedFor: string | undefined;
  for (let row = first; ; row = await readAnswer(key)) {
    const now = preciseClock();
    const found = row && usable(row, now - keepSeconds, waitedFor);
    // The row was written by this function from a value of the same type.
    if (found) return found as SharedAnswer<Value>;
    if (end - now < leastSeconds) {
      throw new HttpError(503, 'The source has not answered yet: send the request again later', {
        'Retry-After': '5',
      });
    }
    if (row && row.claim_until > now) waitedFor = row.claim;
    else if (await claimAnswer(key, claim, { now, until: end, staleAt: now - keepSeconds })) break;
    await sleep(pollMs);
  }
  try {
    const value = await ask(end - preciseClock());
    // A refused write costs the next request a call. The claim ends by itself.
    await isAccepted(storeAnswer(key, claim, { value: JSON.stringify(value) }, preciseClock(), keepSeconds));
    return aged(value);
  } catch (error) {
    await isAccepted(storeAnswer(key, claim, { failure: failureOf(error) }, preciseClock(), 0));
    throw error;
  }
};

/**
 * The answer to `asked`. `ask` gets the seconds that it may take. A failure is never stored for later
 * requests. `hold` runs what may wait; a fresh answer is returned without it.
 * @throws what `ask` and `hold` throw, and HttpError 503 if another request has asked the source and gets no
 * answer in time.
 */
export const shareAnswer = async <Value>(
  source: Source,
  asked: unknown,
  ask: (seconds: number) => Promise<Value>,
  hold: Hold,
): Promise<SharedAnswer<Value>> => {
  const key = keyOf(source, asked);
  const keepSeconds = cacheSeconds(source);
  const begun = preciseClock();
  const first = await readAnswer(key);
  const found = first && usable(first, begun - keepSeconds, undefined);
  // The row was written by `waitOrAsk` from a value of the same type.
  if (found) return found as SharedAnswer<Value>;
  return hold(() => waitOrAsk(key, keepSeconds, first, begun + budgetSeconds, ask));
};
