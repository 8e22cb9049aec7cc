/**
 * Rules about engines that block: after 20 refusals in a row, an engine is left alone for 10 s, then for
 * twice as long each time, at most 15 minutes. After each rest, one run probes it.
 */

import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { RequestedPage } from '../code/instance.ts';
import type { Ledger } from './ledger.ts';

const refusalsBeforeRest = 20;

const restSeconds = (refusals: number): number => Math.min(10 * 2 ** (refusals - refusalsBeforeRest), 900);

/** A run that probes has so long. */
const probeSeconds = 30;

/** A run that has its turn may ask for its first page so long after the rest has begun. */
const underWaySeconds = { still: 4, faulty: 60 };

/** A rest is counted from the time that the run read its clock, some calls earlier. */
const lateSeconds = 45;

/** A search that waits comes back so soon after the end of a rest. */
const unprobedSeconds = 120;

/** `probe`: the run that probes; `next` if it has not asked yet. */
type Rest = { from: number; until: number; refusals: number; probe?: string };

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

type Options = {
  ledger: Ledger;
  /** By how much clocks differ at most from each other. */
  skewSeconds: number;
  /** Whether no fault strikes. */
  isStill: boolean;
  /** Whether nothing has struck since then (seconds) and shortly before. */
  isQuietSince: (seconds: number) => boolean;
};

export const newRests = ({ ledger, skewSeconds, isStill, isQuietSince }: Options) => {
  const underWay = isStill ? underWaySeconds.still : underWaySeconds.faulty;
  /** By the line of the engine or of its fetcher. */
  const resting = new Map<string, Rest>();
  /** Since when a line has as many refusals as cause a rest, and has none yet. */
  const restless = new Map<string, number>();

  const checkLength = (line: string, refusals: number, until: number, now: number): void => {
    const seconds = until - now;
    const expected = restSeconds(refusals);
    if (seconds < expected - lateSeconds - skewSeconds || seconds > expected + skewSeconds + 1)
      ledger.violate(
        'rests are kept',
        `${line} rests for ${Math.round(seconds)} s, not ${expected}, after ${refusals} refusals`,
      );
  };

  /** A refused probe makes the next rest longer. */
  const checkGrowth = (line: string, refusals: number): void => {
    const former = resting.get(line);
    if (former?.probe !== undefined && refusals <= former.refusals && isQuietSince(former.from))
      ledger.violate('rests are kept', `${line} has ${refusals} refusals after its probe, as before it`);
  };

  return {
    /** Notes a write to the table of the pace. `now`: seconds. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      const line = String(after?.line?.S);
      const refusals = numberOf(after, 'walls');
      const [former, until] = [before, after].map((item) => numberOf(item, 'rested_until'));
      const isBlocked = refusals >= refusalsBeforeRest;
      if (!isBlocked || (until ?? 0) > now) restless.delete(line);
      else if (!restless.has(line)) restless.set(line, now);
      if (!after || !isBlocked || until === undefined || former === undefined) {
        resting.delete(line);
        return;
      }
      if (until === former) return;
      // A run that ended after it had written a rest is repeated, and writes the rest again.
      const seconds = until - now;
      const isClaim = Math.abs(seconds - probeSeconds) < Math.abs(seconds - restSeconds(refusals));
      // A run that ended before it had written the first rest is followed by a probe.
      const mayProbe = former > 0 || !isStill;
      const isProbe = mayProbe && numberOf(before, 'walls') === refusals && isClaim;
      if (isProbe && now < former - skewSeconds)
        ledger.violate(
          'rests are kept',
          `${line} is probed ${Math.round(former - now)} s before its rest ends`,
        );
      if (isProbe && seconds > probeSeconds + skewSeconds + 1)
        ledger.violate('rests are kept', `the probe of ${line} has ${Math.round(seconds)} s`);
      if (!isProbe) {
        checkLength(line, refusals, until, now);
        checkGrowth(line, refusals);
      }
      resting.set(line, { from: now, until, refusals, ...(isProbe && { probe: 'next' }) });
    },
    /** After a rest, a search that waits for the engine probes it: none waits until its own end. */
    ended: (task: WireItem, now: number): void => {
      const rest = resting.get(String(task.engine?.S));
      if (!isStill || !rest || !String(task.error_message?.S).startsWith('throttled:')) return;
      if (now > rest.until + unprobedSeconds)
        ledger.violate(
          'rests end',
          `task ${task.id?.N} waited until its end, ${Math.round(now - rest.until)} s after the rest of its engine`,
        );
    },
    /** While an engine rests, no run but the probe asks it for a first page. */
    asked: ({ engine, id, attempt, page }: RequestedPage, now: number): void => {
      const since = restless.get(engine) ?? now;
      if (page === 1 && now > since + underWay)
        ledger.violate(
          'rests are kept',
          `task ${id} asks ${engine} ${Math.round(now - since)} s after its last refusal, and there was no rest`,
        );
      const rest = resting.get(engine);
      if (!rest || page > 1 || now >= rest.until - skewSeconds) return;
      const run = `${id} ${attempt}`;
      if (rest.probe === 'next') rest.probe = run;
      if (rest.probe === run || now < rest.from + underWay) return;
      ledger.violate(
        'rests are kept',
        `run ${attempt} of task ${id} asks ${engine} ${Math.round(rest.until - now)} s before its rest ends`,
      );
    },
  };
};
