/**
 * The first work on a page: fetches it without a browser, if its engine's order of fetchers begins so, and
 * chooses the next fetcher.
 */
import { presentOrder } from '../fetcher/present-order.ts';
import type { FetcherName } from '../model/fetchers.ts';
import type { AnsweredPage, ChosenFetcher, PageKey } from '../model/workflow.ts';
import { chooseFetcher, passOn, unwatched } from '../pace/fetcher-health.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { putProgress } from '../store/page-progress.ts';
import { type HeldPage, heldElsewhere } from './held-page.ts';
import { type KeepPage, tryOverHttp } from './try-over-http.ts';

/** The reason in the outcome of a page that the operator's order gives to no fetcher. */
const noFetcher = 'machinery: the order of the engine has no fetcher for its pages';

/** A page that nothing was requested for. */
const untried = ({ user_id, id, attempt, page }: PageKey, reason: string): AnsweredPage => ({
  user_id,
  id,
  attempt,
  page,
  outcome: 'failed',
  verdict: null,
  html: '',
  fetches: 0,
  has_next: false,
  fetched_at: 0,
  reason,
});

/** Gives the page to the next fetcher, with the order for what follows. */
const handOver = async (
  page: AnsweredPage,
  next: ChosenFetcher,
  order: FetcherName[],
): Promise<AnsweredPage> => {
  if (next.fetcher === 'browser') await isAccepted(putProgress(page, 'queued_browser'));
  return { ...passOn(page, next), order };
};

/**
 * Works on one page of a task, if the run holds it. A failed fetch is an outcome, not an exception.
 * `blocked`: the next step opens the page in the browser. `upstream`: the run hands its search to the
 * provider. `keep` stores the page. `nowMs` is a clock that only moves forward, and `began` its time at which
 * the step began.
 */
export const fetchHeld = async (
  key: PageKey,
  held: HeldPage | undefined,
  keep: KeepPage,
  nowMs: () => number,
  began: number,
): Promise<AnsweredPage> => {
  if (!held) return untried(key, heldElsewhere);
  const { engine, ordering } = held.row;
  const order = await presentOrder(engine);
  const [first] = order;
  if (!first) return untried(key, noFetcher);
  // An earlier run got no answer to its order, and the provider may have accepted it: the next step asks.
  if (ordering && order.includes('upstream')) {
    const provider = (await chooseFetcher(engine, order, ['upstream'])) ?? unwatched('upstream');
    return handOver(untried(key, ''), provider, order);
  }
  // If all fetchers are rested, the first one is used: the pauses of the engine limit the requests.
  const chosen = (await chooseFetcher(engine, order)) ?? unwatched(first);
  if (chosen.fetcher === 'browser' || chosen.fetcher === 'upstream') {
    return handOver(untried(key, ''), chosen, order);
  }

  const later = order.slice(order.indexOf(chosen.fetcher) + 1);
  // The page of a script wall says only that the browser is needed, which stores what it gets.
  const unkept = later.includes('browser') ? 'script_wall' : undefined;
  const before = { fetches: 0, spentMs: nowMs() - began, html: '', unkept } as const;
  const page = await tryOverHttp(key, held, chosen, before, nowMs, keep);
  if (page.outcome !== 'blocked') return page;
  const next = await chooseFetcher(engine, order, later);
  return next ? handOver(page, next, order) : { ...page, outcome: 'failed' };
};
