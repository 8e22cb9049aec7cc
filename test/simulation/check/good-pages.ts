/** A rule about engines that block: a page that the engine gives ends the count of its refusals. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { RequestedPage } from '../code/instance.ts';
import type { Ledger } from './ledger.ts';

/** So long before the request of a page, a refusal is known to its run, and so long after it, to others. */
const knownSeconds = 3;

/** From the end of a task until its run has told the line. */
const toldSeconds = 5;

/** So many refusals cause a rest, in which a fetcher is not asked, or by a run that says nothing about it. */
const refusalsBeforeRest = 20;

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

/** A line with refusals: since when it has some, how many, and when a task succeeded in spite of them. */
type Refused = { from: number; refusals: number; succeededAt?: number };

/** `isQuietSince`: whether nothing has struck since then (seconds) and shortly before. */
export const newGoodPages = (ledger: Ledger, isQuietSince: (seconds: number) => boolean) => {
  const lines = new Map<string, Refused>();
  /** When the last run of a task requested its first page. */
  const askedAt = new Map<number, number>();

  const check = (now: number): void => {
    for (const [line, { succeededAt, refusals }] of lines) {
      if (succeededAt === undefined || now < succeededAt + toldSeconds) continue;
      if (isQuietSince(succeededAt))
        ledger.violate(
          'a good page ends the count of refusals',
          `${line} has ${refusals} refusals ${Math.round(now - succeededAt)} s after a good page`,
        );
      lines.delete(line);
    }
  };

  return {
    check,
    /** Notes a write to the table of the pace. `now`: seconds. */
    written: (after: WireItem | undefined, now: number): void => {
      const line = String(after?.line?.S);
      const refusals = numberOf(after, 'walls');
      if (refusals === 0) lines.delete(line);
      else lines.set(line, { from: now, ...lines.get(line), refusals });
    },
    asked: ({ id, page }: RequestedPage, now: number): void => {
      if (page !== 1) return;
      check(now);
      askedAt.set(id, now);
    },
    /** A task has ended. */
    ended: (task: WireItem, now: number): void => {
      if (task.kind?.S !== 'serp' || task.status?.S !== 'success' || task.reused?.BOOL === true) return;
      const asked = askedAt.get(numberOf(task, 'id')) ?? 0;
      const engine = String(task.engine?.S);
      for (const line of [engine, `${engine}/http`]) {
        const known = lines.get(line);
        const isAtRest = known !== undefined && line !== engine && known.refusals >= refusalsBeforeRest;
        if (known && !isAtRest && known.from < asked - knownSeconds) known.succeededAt ??= now;
      }
    },
  };
};
