/** Rules about what is written of projects that rest and of keywords that were deleted (Reading 40). */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Plan } from '../plan/plan.ts';
import { refusedMs, type Struck } from '../world/faults.ts';
import type { Row } from './end.ts';
import type { Ledger } from './ledger.ts';

/** A run of the recorder that has read the project before ends so soon (milliseconds). */
const usualMs = 10_000;

/** It waits for a service that refuses its calls. */
const faultyMs = 180_000;

/** A keyword that was deleted has left its search by then. */
const leftMs = 60_000;

type Options = { ledger: Ledger; plan: Plan; struck: () => readonly Struck[] };

export const newRested = ({ ledger, plan, struck }: Options) => {
  const isQuiet = (from: number, to: number): boolean =>
    plan.deployAt === 0 && struck().every(({ at }) => at < from || at > to);
  return {
    /** Notes a write to the table of tracking: a project that rests gets no results. `now`: milliseconds. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      const [, id] = /^keyword#(\d+)$/.exec(String(after?.pk?.S)) ?? [];
      if (before || !id) return;
      const projectId = ledger.tracked.find(({ keywordId }) => keywordId === Number(id))?.projectId;
      const from = projectId === undefined ? undefined : ledger.restFrom.get(projectId);
      if (from === undefined) return;
      if (now > from + (isQuiet(from - refusedMs, now) ? usualMs : faultyMs))
        ledger.violate(
          'paused projects rest',
          `keyword ${id} got a result ${now - from} ms after its project was paused`,
        );
    },
    /** No search has a keyword that was deleted. `rows`: those of the table of tracking. */
    end: (rows: readonly Row[], now: number): void => {
      for (const [id, at] of ledger.deleted) {
        const row = rows.find(({ sk }) => sk === `keyword#${id}`);
        if (row && now > at + leftMs && isQuiet(at - leftMs, at + leftMs))
          ledger.violate('deleted keywords are not crawled', `keyword ${id} is still in ${row.pk}`);
      }
    },
  };
};
