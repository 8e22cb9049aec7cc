/**
 * The volumes of keywords for the service itself, which is in no hurry: it takes a turn as a user's call
 * does, or comes back later.
 */
import { noMetrics } from '../../model/keyword-metrics.ts';
import { pauseSeconds, waitForTurn } from '../../pace/ads-turn.ts';
import type { Market } from '../../provider/contract.ts';
import { preciseClock } from '../../runtime/clock.ts';
import { inBatches } from '../../runtime/in-parallel.ts';
import { prepareCall } from './call-source.ts';
import { volumeSource } from './source.ts';
import { fetchVolumes, readStored, refusedForms, type Volumes } from './volumes.ts';

/** The source may take so long for 10,000 keywords. */
const callMs = 20_000;

/** How long a call may wait for its turn. */
const turnSeconds = 10;

/** When to ask again after a fault other than the refusal of a keyword. */
const faultSeconds = 3600;

/**
 * `retryAt`: Unix seconds from which the keywords that were not found may be asked again; absent if all were
 * found.
 */
type FoundVolumes = { found: Volumes; retryAt?: number };

const unknown = (forms: Iterable<string>, fetchedAt: number): Volumes =>
  new Map([...forms].map((form) => [form, { metrics: noMetrics, fetchedAt, reused: false }]));

/**
 * Looks keywords up that are not stored. Keywords that the source refuses are unknown to it, and the others
 * are asked once more.
 */
const lookUp = async (
  userId: number,
  forms: readonly string[],
  market: Market,
  round = 1,
): Promise<FoundVolumes> => {
  await prepareCall();
  const now = preciseClock();
  const latest = now + turnSeconds;
  const turn = await waitForTurn(userId, latest);
  if (turn.outcome === 'wait') return { found: new Map(), retryAt: Math.ceil(turn.at) };
  const read = await fetchVolumes(userId, forms, market, { deadlineMs: callMs, attempts: 1, latest });
  if (read.ok) return { found: read.value };
  if (read.problem === 'throttled') {
    return {
      found: new Map(),
      retryAt: Math.ceil(now + Math.max(read.retryAfterSeconds ?? 0, pauseSeconds(1))),
    };
  }
  const refused = refusedForms(forms, read);
  if (refused.size === 0 || round > 1) return { found: new Map(), retryAt: Math.ceil(now + faultSeconds) };
  const others = forms.filter((form) => !refused.has(form));
  const { found, ...rest } =
    others.length > 0 ? await lookUp(userId, others, market, round + 1) : { found: new Map() };
  return { found: new Map([...found, ...unknown(refused, Math.floor(now))]), ...rest };
};

/**
 * The metrics of keywords in a market, by form: stored ones, and those that the source gives. `userId`: whose
 * turn the calls take.
 */
export const findVolumes = async (
  userId: number,
  forms: readonly string[],
  market: Market,
): Promise<FoundVolumes> => {
  const found = await readStored(forms, market);
  const missing = forms.filter((form) => !found.has(form));
  for (const batch of inBatches(missing, volumeSource().maxKeywords)) {
    const looked = await lookUp(userId, batch, market);
    for (const [form, each] of looked.found) found.set(form, each);
    if (looked.retryAt !== undefined) return { found, retryAt: looked.retryAt };
  }
  return { found };
};
