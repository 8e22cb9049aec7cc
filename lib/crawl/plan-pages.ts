/** Before a run: reads the task, claims it and plans which pages to fetch. */
import { sourceName } from '../fetcher/choose.ts';
import { identityFor } from '../fetcher/identity.ts';
import type { PageKey, TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { moveRow } from '../store/tasks.ts';
import { batchOf, waitingDelivery } from '../task/final-write.ts';
import { claimChanges, isLeased, leaseChanges } from '../task/lease.ts';
import { isFinal, statesBefore } from '../task/status.ts';
import { isOneByOne } from './one-by-one.ts';
import { reusedChanges } from './reuse.ts';
import { type FoundTask, findTask } from './take-turn.ts';

/**
 * Batches of pages that are fetched one after another, as long as the engine has more pages. Empty after the
 * last one.
 */
export type Batches = { batch?: PageKey[]; rest?: Batches };

/**
 * `claimed`: the run holds the task. It fetches `batch` and, if the engine has more pages, the batches of
 * `rest`. `ordered`: the run holds the task, whose pages the upstream provider may have. `fetched`: the pages
 * are stored already, by a snapshot or by an earlier run that died, and are only parsed. `final`: the task
 * has ended, `delivery` is to be queued if it is not null, and the batch `batch_id` is to be checked if there
 * is one. `stale`: another run holds the task, or the task is gone.
 */
export type Plan = TaskKey & {
  outcome: 'claimed' | 'ordered' | 'fetched' | 'final' | 'stale';
  attempt: number;
  batch: PageKey[];
  rest: Batches;
  /** The pages of the batches before. */
  first: [];
  delivery: string | null;
  batch_id?: number;
};

const batchesOf = (batches: readonly PageKey[][]): Batches =>
  batches.reduceRight<Batches>((rest, batch) => (batch.length > 0 ? { batch, rest } : rest), {});

/**
 * Claims a task (Reading 1) and plans its pages (Reading 5): the first page alone, then the others in
 * parallel, or one after another (Reading 43, and engines whose pages have the token for the next one).
 * `found` is the task if it was read before. `unstarted` claims of it led to no run.
 */
export const planPages = async (
  key: TaskKey,
  now = clock(),
  found?: FoundTask,
  unstarted = 0,
): Promise<Plan> => {
  const { user_id, id } = key;
  const { row, snapshot } = found ?? (await findTask(key, now));
  const plan = {
    user_id,
    id,
    attempt: row?.attempt ?? 0,
    batch: [],
    rest: {},
    first: [] as [],
    delivery: null,
  };
  if (!row) return { ...plan, outcome: 'stale' };
  if (isFinal(row.status)) {
    return { ...plan, outcome: 'final', delivery: waitingDelivery(row), ...batchOf(row) };
  }
  if (row.status === 'parsing') return { ...plan, outcome: 'fetched' };

  if (isLeased(row, now)) return { ...plan, outcome: 'stale' };
  if (row.status === 'awaiting_webhook') {
    // The same run goes on: its number is in the pingback, and a new one would make a second pingback
    // invalid.
    const held = await moveRow(
      row,
      { from: ['awaiting_webhook'], attempt: row.attempt, freeAt: now },
      leaseChanges(row, now),
    );
    return { ...plan, outcome: held ? 'ordered' : 'stale' };
  }
  const claim = claimChanges(row, now, unstarted);
  const { attempt } = claim;
  if (snapshot) {
    const reused = { status: 'parsing' as const, ...claim, ...reusedChanges(row, snapshot) };
    return (await moveRow(row, { from: ['awaiting'], attempt: row.attempt, freeAt: now }, reused))
      ? { ...plan, outcome: 'fetched', attempt }
      : { ...plan, outcome: 'stale' };
  }
  const claimed = await moveRow(
    row,
    { from: statesBefore(row.kind, 'crawling'), attempt: row.attempt, freeAt: now },
    {
      status: 'crawling',
      ...claim,
      source: sourceName(row.engine),
      ...(row.api === 'v1' && { user_agent: identityFor(row.device, row.language_code).userAgent }),
      reused: false,
      pages: row.pages.map((page) => ({
        ...page,
        status: page.page === 1 ? 'in_progress_http' : 'queued_http',
      })),
    },
  );
  if (!claimed) return { ...plan, outcome: 'stale' };
  const [first, ...rest] = row.pages.map(({ page }) => ({ user_id, id, attempt, page }));
  return {
    ...plan,
    outcome: 'claimed',
    attempt,
    batch: first ? [first] : [],
    rest: batchesOf(isOneByOne(row) ? rest.map((page) => [page]) : [rest]),
  };
};
