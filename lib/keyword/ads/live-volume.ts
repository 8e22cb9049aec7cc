/** The live call for volumes (Readings 21 and 41). */
import { setTimeout as sleep } from 'node:timers/promises';
import { whileWaiting } from '../../access/wait-slot.ts';
import { HttpError } from '../../model/http-error.ts';
import { keywordForm, liveMetricOf, type Metrics, noMetrics } from '../../model/keyword-metrics.ts';
import type { LiveVolumeRequest } from '../../model/keyword-request.ts';
import type { LiveVolume } from '../../model/keyword-task.ts';
import type { Account } from '../../model/user.ts';
import { waitForTurn } from '../../pace/ads-turn.ts';
import type { Fault, Market } from '../../provider/contract.ts';
import { clock, preciseClock } from '../../runtime/clock.ts';
import { inBatches } from '../../runtime/in-parallel.ts';
import { log } from '../../runtime/log.ts';
import { claimAsk, releaseAsk } from '../../store/ask-claims.ts';
import { prepareCall } from './call-source.ts';
import { placeOfSource, reuseSeconds, volumeSource } from './source.ts';
import { fetchVolumes, formsOf, readStored, type Volumes } from './volumes.ts';

/**
 * Reading 41: a live call waits for 25 s at most. Of these, 10 are for the turn and for a request in flight,
 * 10 for the source, and 4 for its token.
 */
const waitSeconds = 10;
const callMs = 10_000;

/** Longer than a request can take. */
const claimSeconds = 28;

/** How often a request looks whether another one in flight has stored the same keywords. */
const pollMs = 250;

const maxRetryAfter = 86_400;

const unavailable = (detail: string, seconds: number): HttpError =>
  new HttpError(503, detail, {
    'Retry-After': String(Math.min(maxRetryAfter, Math.max(1, Math.ceil(seconds)))),
  });

/** The response to a live call that the source did not answer: never an empty list. */
export const liveError = (fault: Fault): HttpError => {
  const detail = `The source gave no data: ${fault.reason}`;
  if (fault.problem === 'throttled') return unavailable(detail, fault.retryAfterSeconds ?? 1);
  const isPlace = fault.at?.some(({ field }) => field === 'location');
  return isPlace
    ? new HttpError(422, [
        {
          loc: ['body', 'location_code'],
          type: 'value_error',
          msg: `Value error, ${volumeSource().title} does not know this location code`,
        },
      ])
    : new HttpError(502, detail);
};

/** Gets the keywords whose question this request has claimed. */
const fetchClaimed = async (user: Account, missing: readonly string[], market: Market, latest: number) => {
  const found: Volumes = new Map();
  for (const forms of inBatches(missing, volumeSource().maxKeywords)) {
    await prepareCall();
    const turn = await waitForTurn(user.id, latest);
    if (turn.outcome === 'wait') {
      throw unavailable('The source takes no more calls now', turn.at - preciseClock());
    }
    const read = await fetchVolumes(user.id, forms, market, { deadlineMs: callMs, attempts: 2, latest });
    if (!read.ok) throw liveError(read);
    for (const [form, volume] of read.value) found.set(form, volume);
  }
  return found;
};

/**
 * The metrics of all keywords, by form. Of identical requests in flight, one asks the source, and the others
 * wait for what it stores. `first`: what was stored at the first reading.
 */
const waitForAll = async (
  user: Account,
  forms: readonly string[],
  market: Market,
  first: Volumes,
  latest: number,
): Promise<Volumes> => {
  for (let stored = first; ; stored = await readStored(forms, market)) {
    const missing = forms.filter((form) => !stored.has(form));
    if (missing.length === 0) return stored;
    if (reuseSeconds() === 0) return fetchClaimed(user, missing, market, latest);
    const question = JSON.stringify([placeOfSource(), market, missing.toSorted()]);
    const now = preciseClock();
    const claim = await claimAsk(question, now, now + claimSeconds);
    if (claim) {
      try {
        // Another request may have stored them, and ended its claim, after this one has read.
        const late = await readStored(missing, market);
        const rest = missing.filter((form) => !late.has(form));
        const fetched = await fetchClaimed(user, rest, market, latest);
        return new Map([...stored, ...late, ...fetched]);
      } finally {
        await releaseAsk(question, claim);
      }
    }
    if (now >= latest) throw unavailable('The same keywords are being looked up: ask again', 2);
    await sleep(pollMs);
  }
};

/** As `waitForAll`. Only a request whose keywords are not all stored waits, so only it needs a slot. */
const findAll = async (user: Account, forms: readonly string[], market: Market): Promise<Volumes> => {
  const latest = preciseClock() + waitSeconds;
  const stored = await readStored(forms, market);
  if (forms.every((form) => stored.has(form))) return stored;
  return whileWaiting(user, () => waitForAll(user, forms, market, stored, latest));
};

/**
 * `x-cache` says whether the figures were stored by an earlier request, and `age` how many seconds ago the
 * oldest were.
 */
const cacheHeaders = (forms: readonly string[], found: Volumes, now: number): Record<string, string> => {
  const reused = [...found.values()].filter((each) => each.reused);
  if (reused.length === 0) return { 'x-cache': 'miss' };
  const oldest = Math.min(...reused.map(({ fetchedAt }) => fetchedAt));
  return {
    'x-cache': reused.length === forms.length ? 'hit' : 'partial',
    age: String(Math.max(0, now - oldest)),
  };
};

/**
 * What the source knows of each keyword, in their order. `headers` says what came from the cache.
 * @throws HttpError 502 or 503 if the source gives no data, 422 if it does not know the place; 429 and 503 as
 * `whileWaiting`.
 */
export const findLiveMetrics = async (
  user: Account,
  { keywords, location_code, language_code }: LiveVolumeRequest,
): Promise<{ metrics: Metrics[]; headers: Record<string, string> }> => {
  const forms = formsOf(keywords);
  const market = { location: location_code, language: language_code || null };
  const found = await findAll(user, forms, market);
  const headers = cacheHeaders(forms, found, clock());
  log.info(
    'keywords answered',
    { live: true, cache: headers['x-cache'] ?? null },
    {
      KeywordsAnswered: keywords.length,
      KeywordsReused: [...found.values()].filter((each) => each.reused).length,
    },
  );
  return { metrics: keywords.map((key) => found.get(keywordForm(key))?.metrics ?? noMetrics), headers };
};

/** As `findLiveMetrics`, in the form of a live answer. */
export const findLiveVolumes = async (
  user: Account,
  request: LiveVolumeRequest,
): Promise<{ body: LiveVolume; headers: Record<string, string> }> => {
  const { metrics, headers } = await findLiveMetrics(user, request);
  const results = request.keywords.map((key, n) => liveMetricOf(key, metrics[n] ?? noMetrics));
  return { body: { results }, headers };
};
