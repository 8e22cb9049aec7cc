/** Collects the pages of a search from the upstream provider, judges and stores them. */
import { collectPagesOf } from '../fetcher/upstream.ts';
import { isUpstreamReplay } from '../fetcher/upstream-offer.ts';
import { remainingMs } from '../model/page-time.ts';
import type { AnsweredSearch, FetchedPage } from '../model/workflow.ts';
import { recordOutcome } from '../pace/fetcher-health.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { putHtml } from '../store/html.ts';
import type { SerpRow } from '../store/task-row.ts';
import { moveRow, readRow } from '../store/tasks.ts';
import { isFinal } from '../task/status.ts';
import { logPage } from './log-page.ts';
import { linkCounts, lookUpTargets } from './look-up-targets.ts';
import { outcomeOf } from './page-outcome.ts';
import { endRefused, finalStep, logFault, type ProviderStep, shownReason, stepOf } from './provider-step.ts';

/** `collected`: ParseTask reads the pages. The other outcomes end the run. */
type CollectedPages =
  | ProviderStep
  | (AnsweredSearch & { outcome: 'collected'; byProvider: true; crawled: FetchedPage[] });

/** The shortest pause before the sweeper asks again for pages that a request did not get. */
const againSeconds = 60;

type Delivered = { page: number; html: string; date: number | null };

/** The outcome of a page that was not delivered. If the engine does not have it, it does not count. */
const missing = (page: number): FetchedPage => ({
  page,
  outcome: 'failed',
  verdict: null,
  html: '',
  fetches: 1,
  has_next: false,
  fetched_at: 0,
  reason: 'upstream: the provider has not delivered all pages',
});

/**
 * Judges a delivered page as any other, and stores it. `began`: the time of `nowMs` at which the pages
 * arrived.
 */
const keepPage = async (
  row: SerpRow,
  { page, html, date }: Delivered,
  began: number,
  nowMs: () => number,
): Promise<FetchedPage> => {
  const url = row.pages.find((planned) => planned.page === page)?.url ?? '';
  const acceptedAt = row.upstream?.accepted_at ?? 0;
  const now = clock();
  const delivered = { ok: true, status: 200, url: '', body: html } as const;
  const judged = outcomeOf(row, page, delivered, { isReplay: isUpstreamReplay(), isDelivered: true });
  const milliseconds = (now - acceptedAt) * 1000;
  logPage({ engine: row.engine, route: 'upstream', page, fetches: 1, milliseconds }, judged);
  const { body, hidden, reading, deferred, ...rest } = judged;
  const session = `${row.id}-${row.attempt}-${page}-1`;
  const route = { fetcher: 'http', session } as const;
  const targets = await lookUpTargets({ ...row, url }, hidden, route, remainingMs(nowMs() - began));
  const key = await putHtml({ html_folder: row.html_folder, attempt: row.attempt, page }, html, targets);
  // The provider's own time counts if it is possible.
  const fetched_at = date !== null && date >= acceptedAt && date <= now ? date : now;
  return { page, ...rest, html: key, fetches: 1, fetched_at, ...linkCounts(hidden, targets) };
};

/**
 * Lets the task wait for the next pingback. The pages are paid for, and a pingback can be lost, so the
 * sweeper starts another run too: after as long as the task has waited already, and at the latest when the
 * provider is overdue.
 */
const wait = async (
  row: SerpRow,
  run: AnsweredSearch,
  { accepted_at, until }: NonNullable<SerpRow['upstream']>,
  now: number,
): Promise<ProviderStep> => {
  const due = Math.min(until, now + Math.max(againSeconds, now - accepted_at));
  await moveRow(
    row,
    { from: ['awaiting_webhook'], attempt: run.attempt },
    { lease_until: 0, due_at: Math.ceil(due) },
  );
  return stepOf(run, 'handed');
};

/**
 * Asks the provider for the pages. If it does not have them yet, the task waits; if it is overdue, the task
 * ends in `error` (Reading 1). A repeated request costs nothing and stores the same pages again.
 */
export const collectPages = async (
  run: AnsweredSearch,
  now = clock(),
  nowMs = stopwatch,
): Promise<CollectedPages> => {
  const row = await readRow(run.user_id, run.id);
  if (!row || row.attempt !== run.attempt) return stepOf(run, 'stale');
  if (isFinal(row.status)) return finalStep(row, run);
  const collected = { ...run, outcome: 'collected', byProvider: true } as const;
  // An earlier run has collected the pages.
  if (row.status === 'parsing') return { ...collected, crawled: [] };
  const { upstream, upstream_id } = row;
  if (row.status !== 'awaiting_webhook' || !upstream || !upstream_id) return stepOf(run, 'stale');
  const { until, chosen } = upstream;

  const answer = await collectPagesOf(row.engine, upstream_id);
  if (!answer.ok || answer.value === null) {
    if (!answer.ok) logFault(row, 'collect', answer);
    const isRejected = !answer.ok && answer.problem === 'rejected';
    if (!isRejected && now < until) return wait(row, run, upstream, now);
    await recordOutcome(row.engine, chosen, 'failed', now);
    const reason = answer.ok ? 'the provider has not delivered the pages in time' : shownReason(answer);
    return endRefused(row, run, reason, now);
  }
  log.info('upstream answered', { engine: row.engine, outcome: 'delivered' }, { UpstreamDelivered: 1 });
  const { value: pages } = answer;
  const began = nowMs();
  const crawled = await Promise.all(
    row.pages.map(({ page }) => {
      const delivered = pages.find((each) => each.page === page);
      return delivered ? keepPage(row, delivered, began, nowMs) : missing(page);
    }),
  );
  // The first page is the provider's answer to the search. Later ones may be missing because the engine has
  // no more.
  await recordOutcome(row.engine, chosen, crawled[0]?.outcome ?? 'failed', now);
  return { ...collected, crawled };
};

export { unhanded } from './provider-step.ts';
