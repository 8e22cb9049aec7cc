/** Fetches one page of a task over HTTP, judges it, looks up its hidden links and stores it. */
import { fetchOverHttp } from '../fetcher/http.ts';
import { maxFetches, remainingMs } from '../model/page-time.ts';
import type { AnsweredPage, PageKey } from '../model/workflow.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { putHtml } from '../store/html.ts';
import { heldElsewhere, readHeldPage } from './held-page.ts';
import { logPage } from './log-page.ts';
import { type JudgedPage, outcomeOf } from './page-outcome.ts';
import { storeTargets } from './store-targets.ts';

/**
 * Fetches one page of the run that holds the task. A failed fetch is an outcome, not an exception. `nowMs` is a clock that only moves
 * forward.
 */
export const fetchPage = async (key: PageKey, nowMs = stopwatch): Promise<AnsweredPage> => {
  const began = nowMs();
  const held = await readHeldPage(key);
  if (!held) {
    return {
      ...key,
      outcome: 'failed',
      verdict: null,
      html: '',
      fetches: 0,
      has_next: false,
      fetched_at: 0,
      reason: heldElsewhere,
    };
  }
  const { row, url } = held;
  let fetches = 0;
  let session: string;
  let judged: JudgedPage;
  do {
    fetches++;
    // Each fetch has its own proxy session.
    session = `${key.id}-${key.attempt}-${key.page}-${fetches}`;
    const started = nowMs();
    const isRetry = fetches > 1 || key.attempt > 1;
    const fetched = await fetchOverHttp({ ...row, url, isRetry }, session, remainingMs(started - began));
    const milliseconds = nowMs() - started;
    judged = outcomeOf(row, key.page, fetched);
    logPage({ engine: row.engine, route: 'http', page: key.page, fetches, milliseconds }, judged);
    // Do not retry a throttled page immediately.
  } while (judged.outcome !== 'fetched' && judged.outcome !== 'throttled' && fetches < maxFetches);

  const spent_ms = nowMs() - began;
  const { body, hidden, unclaimed, ...rest } = judged;
  // A refused page is stored too, as evidence in case the engine has changed. It never becomes a result.
  const html = body === '' ? '' : await putHtml({ ...key, html_folder: row.html_folder }, body);
  const links = await storeTargets({ ...row, url }, html, hidden, session, remainingMs(spent_ms));
  return { ...key, ...rest, html, fetches, fetched_at: clock(), spent_ms, ...(links && { links }) };
};
