/**
 * Rules about Google Ads, which all functions share: its rate, and that it is left alone after a refusal. A
 * question is not asked more often than it must be.
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { SourceRequest } from '../code/instance.ts';
import { askedTogether } from '../plan/live-calls.ts';
import type { Plan } from '../plan/plan.ts';
import { sourceRates } from '../plan/visits.ts';
import { presentInvocation } from '../services/lambda.ts';
import type { Ledger } from './ledger.ts';

/** Calls a second: the default of the setting `ADS_RATE`. */
const rate = 1;

/** Calls may begin together if faults delay one after its turn: as many as fit into slow calls (30 s). */
const burst = { still: 2.5, faulty: 30 };

/** The sandbox names so many seconds as it refuses a call. */
const refusedSeconds = 3;

/** From the answer of a refused call until its line is held, and the rounding of times (seconds). */
const heldAfterSeconds = 0.5;

/** Calls have turns up to five seconds ahead, which a refusal does not take back. */
const aheadSeconds = 6;

/** While the source is down, one invocation asks the same question so often. */
const mostAttempts = 3;

/** Pauses are doubled from 5 s on, so a task of half an hour asks so often while it is refused. */
const mostRefused = 10;

/** Of Google Ads, only the calls about keywords have a rate, not those for a token. */
const isLimited = (url: string): boolean => new URL(url).hostname === 'googleads.googleapis.com';

/** Calls a second to the sources of suggestions and trends, by their hosts. */
const webRates: Record<string, number> = {
  'suggestqueries.google.com': sourceRates.suggestions,
  'trends.google.com': sourceRates.trends,
};

/** An answer is kept for an hour, less the time that the source took for it. */
const keptSeconds = 3500;

/** Calls of the web that begin together, while nothing goes wrong. */
const webBurst = 2.5;

/** The first keyword with a misfortune that Google Ads has decides what becomes of a call. */
const misfortune = /"(slow|cut|reset|drift|http_500|http_429): /;

/** Words that end the call, or have it refused. */
const refusal = /"(?:refused|forbidden|broken): /;

/** A tracked keyword that Google Ads does not know. Those of other requests have no number. */
const unknown = /"(empty: [a-z ]+ \d+)"/g;

/** It is asked about again after 30 days (Reading 38). A call may fail for some hours. */
const againSeconds = { from: 12 * 3600, to: 29 * 86_400 };

const line = 'google-ads';

const freeAt = (item: WireItem | undefined): number => Number(item?.free_at?.N ?? 0);

/** `isQuietSince`: whether nothing has struck since then (seconds) and shortly before. */
export const newSources = (ledger: Ledger, plan: Plan, isQuietSince: (seconds: number) => boolean) => {
  const { rates, skewSeconds, deployAt, sourceBackAt } = plan;
  const isStill = Object.keys(rates).length === 0 && deployAt === 0;
  const most = isStill ? burst.still : burst.faulty;
  /** A bucket that empties at the rate. */
  let level = 0;
  let last = 0;
  /** When Google Ads refused last (seconds), and how often it has. */
  let refusedAt = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  /** Questions that users ask together, by when they were asked (seconds). */
  const together = new Map<string, number>();
  const attempts = new WeakMap<object, Map<string, number>>();

  const checkAttempts = (body: string): void => {
    const invocation = presentInvocation();
    if (!invocation) return;
    const made = attempts.get(invocation) ?? new Map<string, number>();
    attempts.set(invocation, made.set(body, (made.get(body) ?? 0) + 1));
    // A source that refuses all calls is asked again at each pause.
    if ((made.get(body) ?? 0) > mostAttempts && sourceBackAt === 0)
      ledger.violate(
        'sources are asked three times at most',
        `Google Ads is asked ${made.get(body)} times: ${body}`,
      );
  };

  const checkTogether = (body: string, now: number): void => {
    const before = together.get(body);
    if (before !== undefined && isQuietSince(before))
      ledger.violate('equal questions are asked once', `Google Ads is asked once more: ${body}`);
    together.set(body, before ?? now);
  };

  /** Of each host: the level of its bucket, and the last call (milliseconds). */
  const buckets = new Map<string, { level: number; last: number }>();

  /** Suggestions and trends are asked for at their rates, and again only if the answer is too old. */
  const webAsked = (url: string, now: number): void => {
    const { hostname, searchParams } = new URL(url);
    const limit = webRates[hostname];
    if (limit === undefined) return;
    if (searchParams.get('q')?.startsWith('http_500: ')) ledger.failedQuestions += 1;
    else if (hostname === 'suggestqueries.google.com' && sourceBackAt === 0) checkKept(url, now / 1000);
    const { level, last } = buckets.get(hostname) ?? { level: 0, last: now };
    const next = Math.max(0, level - (limit * (now - last)) / 1000) + 1;
    buckets.set(hostname, { level: next, last: now });
    if (next > webBurst && isQuietSince(now / 1000))
      ledger.violate('rates of sources are kept', `${hostname} was asked ${next} calls above its rate`);
  };

  /** A question whose answer is kept is not asked again. */
  const kept = new Map<string, number>();
  const checkKept = (url: string, now: number): void => {
    const before = kept.get(url);
    if (before !== undefined && now < before + keptSeconds && isQuietSince(before))
      ledger.violate('equal questions are asked once', `${url} is asked after ${Math.round(now - before)} s`);
    kept.set(url, now);
  };

  /** When the source said that it does not know a keyword (seconds). */
  const unknownSince = new Map<string, number>();
  const checkUnknown = (body: string, now: number): void => {
    if (sourceBackAt > 0 || misfortune.test(body) || refusal.test(body)) return;
    for (const [, keyword = ''] of body.matchAll(unknown)) {
      const since = unknownSince.get(keyword) ?? now;
      unknownSince.set(keyword, since);
      if (now - since > againSeconds.from && now - since < againSeconds.to)
        ledger.violate(
          'what a source does not know is not asked again',
          `Google Ads is asked about ${keyword} after ${Math.round((now - since) / 3600)} h`,
        );
    }
  };

  return {
    /** Notes a request. `now`: milliseconds. */
    asked: ({ url, body }: SourceRequest, now: number): void => {
      webAsked(url, now);
      if (!isLimited(url)) return;
      if (misfortune.exec(body)?.[1] === 'http_429') {
        refusedAt = now / 1000;
        refusals += 1;
      }
      checkAttempts(body);
      checkUnknown(body, now / 1000);
      if (body.includes(askedTogether)) checkTogether(body, now / 1000);
      if (skewSeconds > 0) return;
      level = Math.max(0, level - (rate * (now - last)) / 1000) + 1;
      last = now;
      if (level > most)
        ledger.violate('rates of sources are kept', `Google Ads was asked ${level} calls above its rate`);
    },
    /**
     * Notes a write to the table of the pace. Once the line is held after a refusal, no turn begins before
     * the end of the time that the source has named. The line is not held for longer. `now`: seconds.
     */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      if (after?.line?.S !== line || !isQuietSince(refusedAt)) return;
      const heldUntil = refusedAt + refusedSeconds;
      const isHold = freeAt(after) >= heldUntil && now < refusedAt + heldAfterSeconds;
      const turn = Math.max(freeAt(before), now);
      if (!isHold && now > refusedAt + heldAfterSeconds && turn < heldUntil - heldAfterSeconds)
        ledger.violate(
          'refusals of sources are kept',
          `a call has its turn ${(turn - refusedAt).toFixed(1)} s after Google Ads has refused one`,
        );
      if (freeAt(after) > now + refusedSeconds + aheadSeconds)
        ledger.violate(
          'refusals of sources are kept',
          `Google Ads is not asked for ${Math.round(freeAt(after) - now)} s`,
        );
    },
    /** At the end of a world: the pauses after refusals have grown. */
    end: (): void => {
      const isTracked = ledger.tracked.some(({ keyword }) => keyword.startsWith('http_429'));
      const tasks = ledger.acked.filter(({ kind }) => kind === 'keyword').length;
      if (isStill && skewSeconds === 0 && !isTracked && refusals > mostRefused * (tasks + 1))
        ledger.violate('pauses grow', `Google Ads has refused ${refusals} calls about ${tasks} tasks`);
    },
  };
};
